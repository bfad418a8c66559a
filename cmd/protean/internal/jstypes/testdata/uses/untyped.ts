// The module without declarations of a schema.
import pb = require("protobuf");

const M = pb.messageType("acme.v1.Event");
const event = new M({ id: "1", at: pb.timestampNow() });
event.id = "2";
event.get("id").length;
const names: string[] = pb.loadDescriptorSet(pb.encode(event));
const at: pb.google.protobuf.Timestamp = pb.timestampFromMs(1);
at.seconds = 1n;
// @ts-expect-error
at.second;
// @ts-expect-error
pb.decode(M, "text");
void names;
