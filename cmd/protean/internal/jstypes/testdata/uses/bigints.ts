// The schema wide, whose 64-bit integers are BigInts.
import pb = require("protobuf");

const record = new (pb.messageType("wind.v1.DailyRecord"))({ day_start_ms: 1, reportId: "2", pulsesMeterA: 3n });
const day: bigint = record.day_start_ms;
const seconds: bigint = pb.timestampNow().seconds;
// @ts-expect-error
const number: number = record.reportId;
void [day, seconds, number];
