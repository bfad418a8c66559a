// The schema flags, whose 64-bit integers are strings.
import pb = require("protobuf");

const evaluation = new (pb.messageType("rollout.v1.Evaluation"))({ evaluated_ms: 1, configVersion: 2n });
const version: string = evaluation.config_version;
// @ts-expect-error
evaluation.evaluatedMs * 2;
void version;
