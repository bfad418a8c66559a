// The module imported as others are.
import * as pb from "protobuf";
import { messageType, type shop } from "protobuf";

const order: shop.orders.v1.Order = new (messageType("shop.orders.v1.Order"))({ id: "1" });
pb.encode(order);
