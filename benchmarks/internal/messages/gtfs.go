package messages

import (
	"fmt"

	"github.com/MobilityData/gtfs-realtime-bindings/golang/gtfs"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// gtfsFeed is what a public transport company publishes every few seconds: delays, positions and alerts.
func gtfsFeed(entities int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(9)
		now := uint64(r.Unix())
		feed := &gtfs.FeedMessage{Header: &gtfs.FeedHeader{
			GtfsRealtimeVersion: proto.String("2.0"),
			Incrementality:      gtfs.FeedHeader_FULL_DATASET.Enum(),
			Timestamp:           &now,
		}}
		for i := range entities {
			feed.Entity = append(feed.Entity, gtfsEntity(r, i, &now))
		}
		return feed
	}
}

func gtfsEntity(r *fake.Source, i int, now *uint64) *gtfs.FeedEntity {
	e := &gtfs.FeedEntity{Id: proto.String(fmt.Sprintf("%d_%s", i, r.Hex(8)))}
	trip := &gtfs.TripDescriptor{
		TripId:               proto.String(fmt.Sprintf("%d.T0.%d-%d-j26-1", r.IntN(1000), r.IntN(99), r.IntN(9))),
		RouteId:              proto.String(fmt.Sprintf("91-%d-j26-1", r.IntN(300))),
		StartTime:            proto.String(fmt.Sprintf("%02d:%02d:00", r.IntN(24), r.IntN(60))),
		StartDate:            proto.String("20260101"),
		ScheduleRelationship: gtfs.TripDescriptor_SCHEDULED.Enum(),
	}
	vehicle := &gtfs.VehicleDescriptor{Id: proto.String(fmt.Sprint(r.IntN(9000))), Label: proto.String(r.Word())}
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		e.Vehicle = vehiclePosition(r, trip, vehicle, now)
	case 4:
		e.Alert = transitAlert(r, trip, now)
	default:
		e.TripUpdate = tripUpdate(r, trip, vehicle, now)
	}
	return e
}

func vehiclePosition(
	r *fake.Source, trip *gtfs.TripDescriptor, vehicle *gtfs.VehicleDescriptor, now *uint64,
) *gtfs.VehiclePosition {
	return &gtfs.VehiclePosition{
		Trip:    trip,
		Vehicle: vehicle,
		Position: &gtfs.Position{
			Latitude:  proto.Float32(47.3 + r.Float32()),
			Longitude: proto.Float32(8.5 + r.Float32()),
			Bearing:   proto.Float32(r.Float32() * 360),
			Speed:     proto.Float32(r.Float32() * 30),
		},
		CurrentStopSequence: proto.Uint32(uint32(r.IntN(30))),
		StopId:              proto.String(fmt.Sprint(r.IntN(99999))),
		CurrentStatus:       gtfs.VehiclePosition_IN_TRANSIT_TO.Enum(),
		Timestamp:           now,
		OccupancyStatus:     gtfs.VehiclePosition_FEW_SEATS_AVAILABLE.Enum(),
	}
}

func transitAlert(r *fake.Source, trip *gtfs.TripDescriptor, now *uint64) *gtfs.Alert {
	text := &gtfs.TranslatedString{Translation: []*gtfs.TranslatedString_Translation{
		{Text: proto.String(r.Text(8, 30)), Language: proto.String("de")},
		{Text: proto.String(r.Text(8, 30)), Language: proto.String("fr")},
	}}
	return &gtfs.Alert{
		ActivePeriod:    []*gtfs.TimeRange{{Start: now}},
		InformedEntity:  []*gtfs.EntitySelector{{AgencyId: proto.String("11"), RouteId: trip.RouteId}},
		Cause:           gtfs.Alert_CONSTRUCTION.Enum(),
		Effect:          gtfs.Alert_DETOUR.Enum(),
		HeaderText:      text,
		DescriptionText: text,
	}
}

func tripUpdate(
	r *fake.Source, trip *gtfs.TripDescriptor, vehicle *gtfs.VehicleDescriptor, now *uint64,
) *gtfs.TripUpdate {
	u := &gtfs.TripUpdate{Trip: trip, Timestamp: now}
	if r.Chance(0.5) {
		u.Vehicle = vehicle
	}
	delayed := func(planned int64) *gtfs.TripUpdate_StopTimeEvent {
		return &gtfs.TripUpdate_StopTimeEvent{Delay: proto.Int32(int32(r.IntN(400) - 60)), Time: &planned}
	}
	for stop := range r.Between(4, 30) {
		arrival := int64(*now) + int64(stop)*120
		u.StopTimeUpdate = append(u.StopTimeUpdate, &gtfs.TripUpdate_StopTimeUpdate{
			StopSequence:         proto.Uint32(uint32(stop + 1)),
			StopId:               proto.String(fmt.Sprintf("85%05d:0:%d", r.IntN(99999), r.IntN(20))),
			Arrival:              delayed(arrival),
			Departure:            delayed(arrival + 30),
			ScheduleRelationship: gtfs.TripUpdate_StopTimeUpdate_SCHEDULED.Enum(),
		})
	}
	return u
}
