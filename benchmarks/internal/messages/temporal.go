package messages

import (
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	failure "go.temporal.io/api/failure/v1"
	history "go.temporal.io/api/history/v1"
	taskqueue "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// temporalHistory has the events that a workflow of so many activities leaves.
func temporalHistory(activities int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(uint64(activities) + 8)
		b := &historyBuilder{r: r, worker: "12345@worker-" + r.Hex(8), run: r.UUID()}
		b.start()
		for i := range activities {
			scheduled := b.task()
			if i%7 == 6 {
				b.timer(scheduled)
			} else {
				b.activity(scheduled)
			}
		}
		return &workflowservice.GetWorkflowExecutionHistoryResponse{History: &b.history}
	}
}

type historyBuilder struct {
	r           *fake.Source
	history     history.History
	worker, run string
}

// add adds an event without attributes.
func (b *historyBuilder) add(t enums.EventType) *history.HistoryEvent {
	e := &history.HistoryEvent{
		EventId:   int64(len(b.history.Events) + 1),
		EventTime: b.r.Time(),
		EventType: t,
		TaskId:    1048576 + b.r.Int64N(1<<24),
	}
	b.history.Events = append(b.history.Events, e)
	return e
}

// last is the number of the last event.
func (b *historyBuilder) last() int64 { return int64(len(b.history.Events)) }

func (b *historyBuilder) payloads(n int) *commonpb.Payloads {
	p := new(commonpb.Payloads)
	for range n {
		order := fmt.Sprintf(`{"orderId":%q,"customer":%q,"amount":%d,"note":%q}`,
			b.r.UUID(), b.r.Email(), b.r.IntN(1e6), b.r.Text(3, 20))
		p.Payloads = append(p.Payloads, jsonPayload(order))
	}
	return p
}

func jsonPayload(text string) *commonpb.Payload {
	return &commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(text)}
}

func ordersQueue() *taskqueue.TaskQueue {
	return &taskqueue.TaskQueue{Name: "orders", Kind: enums.TASK_QUEUE_KIND_NORMAL}
}

func (b *historyBuilder) start() {
	a := &history.WorkflowExecutionStartedEventAttributes{
		WorkflowType:             &commonpb.WorkflowType{Name: "OrderWorkflow"},
		TaskQueue:                ordersQueue(),
		WorkflowExecutionTimeout: seconds(0),
		WorkflowRunTimeout:       seconds(0),
		WorkflowTaskTimeout:      seconds(10),
		OriginalExecutionRunId:   b.run,
		Identity:                 b.worker,
		FirstExecutionRunId:      b.run,
		Attempt:                  1,
		FirstWorkflowTaskBackoff: seconds(0),
	}
	b.add(enums.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED).Attributes =
		&history.HistoryEvent_WorkflowExecutionStartedEventAttributes{WorkflowExecutionStartedEventAttributes: a}
	a.Input = b.payloads(1)
	a.WorkflowId = "order-" + b.r.UUID()
	tracing := jsonPayload(`{"traceparent":"00-` + b.r.Hex(32) + `-01"}`)
	a.Header = &commonpb.Header{Fields: map[string]*commonpb.Payload{"tracing": tracing}}
	a.Memo = &commonpb.Memo{Fields: map[string]*commonpb.Payload{"source": b.payloads(1).Payloads[0]}}
}

// task has a worker decide what comes next. It returns the number of its first event.
func (b *historyBuilder) task() int64 {
	b.add(enums.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED).Attributes =
		&history.HistoryEvent_WorkflowTaskScheduledEventAttributes{
			WorkflowTaskScheduledEventAttributes: &history.WorkflowTaskScheduledEventAttributes{
				TaskQueue: &taskqueue.TaskQueue{
					Name:       b.worker,
					Kind:       enums.TASK_QUEUE_KIND_STICKY,
					NormalName: "orders",
				},
				StartToCloseTimeout: seconds(10),
				Attempt:             1,
			},
		}
	scheduled := b.last()
	e := b.add(enums.EVENT_TYPE_WORKFLOW_TASK_STARTED)
	e.Attributes = &history.HistoryEvent_WorkflowTaskStartedEventAttributes{
		WorkflowTaskStartedEventAttributes: &history.WorkflowTaskStartedEventAttributes{
			ScheduledEventId: scheduled,
			Identity:         b.worker,
			RequestId:        b.r.UUID(),
			HistorySizeBytes: scheduled * 300,
		},
	}
	e = b.add(enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
	completed := &history.WorkflowTaskCompletedEventAttributes{
		ScheduledEventId: scheduled,
		StartedEventId:   scheduled + 1,
		Identity:         b.worker,
		MeteringMetadata: new(commonpb.MeteringMetadata),
	}
	//lint:ignore SA1019 Histories that exist have the field.
	completed.WorkerVersion = &commonpb.WorkerVersionStamp{BuildId: b.r.Hex(32)}
	e.Attributes = &history.HistoryEvent_WorkflowTaskCompletedEventAttributes{
		WorkflowTaskCompletedEventAttributes: completed,
	}
	return scheduled
}

func (b *historyBuilder) timer(task int64) {
	b.add(enums.EVENT_TYPE_TIMER_STARTED).Attributes = &history.HistoryEvent_TimerStartedEventAttributes{
		TimerStartedEventAttributes: &history.TimerStartedEventAttributes{
			TimerId:                      fmt.Sprint(task),
			StartToFireTimeout:           seconds(3600),
			WorkflowTaskCompletedEventId: task + 2,
		},
	}
}

func (b *historyBuilder) activity(task int64) {
	e := b.add(enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
	name := b.r.Pick("ChargeCard", "ReserveStock", "SendEmail")
	e.Attributes = &history.HistoryEvent_ActivityTaskScheduledEventAttributes{
		ActivityTaskScheduledEventAttributes: &history.ActivityTaskScheduledEventAttributes{
			ActivityId:                   fmt.Sprint(task + 3),
			ActivityType:                 &commonpb.ActivityType{Name: name},
			TaskQueue:                    ordersQueue(),
			Header:                       new(commonpb.Header),
			Input:                        b.payloads(b.r.Between(1, 3)),
			ScheduleToCloseTimeout:       seconds(0),
			ScheduleToStartTimeout:       seconds(0),
			StartToCloseTimeout:          seconds(60),
			HeartbeatTimeout:             seconds(0),
			WorkflowTaskCompletedEventId: task + 2,
			RetryPolicy: &commonpb.RetryPolicy{
				InitialInterval:    seconds(1),
				BackoffCoefficient: 2,
				MaximumInterval:    seconds(100),
			},
		},
	}
	e = b.add(enums.EVENT_TYPE_ACTIVITY_TASK_STARTED)
	started := &history.ActivityTaskStartedEventAttributes{
		ScheduledEventId: task + 3,
		Identity:         b.worker,
		RequestId:        b.r.UUID(),
		Attempt:          1,
	}
	if b.r.Chance(0.1) {
		started.Attempt, started.LastFailure = 2, b.failure()
	}
	e.Attributes = &history.HistoryEvent_ActivityTaskStartedEventAttributes{ActivityTaskStartedEventAttributes: started}
	e = b.add(enums.EVENT_TYPE_ACTIVITY_TASK_COMPLETED)
	e.Attributes = &history.HistoryEvent_ActivityTaskCompletedEventAttributes{
		ActivityTaskCompletedEventAttributes: &history.ActivityTaskCompletedEventAttributes{
			Result:           b.payloads(1),
			ScheduledEventId: task + 3,
			StartedEventId:   task + 4,
			Identity:         b.worker,
		},
	}
}

func (b *historyBuilder) failure() *failure.Failure {
	return &failure.Failure{
		Message:    b.r.Text(5, 12),
		Source:     "GoSDK",
		StackTrace: b.r.Sentence(50),
		FailureInfo: &failure.Failure_ApplicationFailureInfo{
			ApplicationFailureInfo: &failure.ApplicationFailureInfo{Type: "wrapError"},
		},
		Cause: &failure.Failure{Message: b.r.Text(3, 6), Source: "GoSDK"},
	}
}
