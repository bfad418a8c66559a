// What the compiler must find: each line below a mark is wrong.
import pb = require("protobuf");

const Order = pb.messageType("shop.orders.v1.Order");
const order = new Order();

// @ts-expect-error no such field
new Order({ idd: "1" });
// @ts-expect-error
new Order({ id: 1 });
// @ts-expect-error in depth
new Order({ customer: { name: true } });
// @ts-expect-error in a list
new Order({ items: [{ quantity: "2" }] });
// @ts-expect-error in a map
new Order({ labels: { a: 1 } });
// @ts-expect-error no such value
new Order({ status: "STATUS_PIAD" });
// @ts-expect-error a string is no list
new Order({ shipping_address: { lines: "street" } });
// @ts-expect-error an array is no map
new Order({ labels: [["a", "b"]] });
// @ts-expect-error
new Order({ receipt_digest: "base64" });
// @ts-expect-error
new Order({ number: true });
// @ts-expect-error
new Order({ attribution: { when: new Date() } });
// @ts-expect-error not new
Order({ id: "1" });

// @ts-expect-error
order.idd;
// @ts-expect-error
order.id = 1;
// @ts-expect-error may be null
order.customer.name;
// @ts-expect-error may be a BigInt
order.number + 1;
// @ts-expect-error
order.$type = "shop.orders.v1.Order";
// @ts-expect-error
order.customer = new (pb.messageType("shop.orders.v1.Address"))();
// @ts-expect-error no such field
order.get("idd");
// @ts-expect-error
order.set("id", 1);
// @ts-expect-error
order.set("customer", { nam: "n" });
// @ts-expect-error
order.has("idd");
// @ts-expect-error
order.clear("idd");
// @ts-expect-error
pb.clearField(order, "idd");
// @ts-expect-error
pb.isFieldSet(order, "idd");
// @ts-expect-error no such oneof
order.whichOneof("paymnt");
// @ts-expect-error no member of it
order.whichOneof("payment") === "id";
// @ts-expect-error a field, no oneof
order.clearOneof("id");

// @ts-expect-error
order.items.add({ quantty: 1 });
// @ts-expect-error
order.items.set("0", {});
// @ts-expect-error
order.items.fill({ quantty: 1 });
// @ts-expect-error may be undefined
order.items.get(0).quantity;
// @ts-expect-error
order.labels.get(1);
// @ts-expect-error
order.labels.set("a", 1);
// @ts-expect-error no properties
order.labels["a"];
// @ts-expect-error may be undefined
order.labels.get("a").length;

// @ts-expect-error
pb.enumType("shop.orders.v1.Order.Status").STATUS_PIAD;
// @ts-expect-error frozen
pb.enumType("shop.orders.v1.Order.Status").STATUS_PAID = 2;
// @ts-expect-error
new (pb.messageType("fleet.telemetry.Report"))({ severity: "9" });
// @ts-expect-error extensions are no properties
new (pb.messageType("fleet.telemetry.Report"))()["[fleet.telemetry.tyres]"];
// @ts-expect-error hidden by the method
new (pb.messageType("nasty.function.v1.Members"))().get.length = 1;

// @ts-expect-error a constructor first
pb.decode("shop.orders.v1.Order", new Uint8Array());
// @ts-expect-error
pb.decode(Order, "bytes");
// @ts-expect-error
pb.encode({ id: "1" });
// @ts-expect-error no such option
pb.fromJSON(Order, {}, { ignoreUnknown: true });
// @ts-expect-error
pb.fromJSON(Order, {}, { discardUnknown: 1 });
// @ts-expect-error
const customer: pb.shop.orders.v1.Customer = pb.decode(Order, new Uint8Array());
// @ts-expect-error
pb.timestampDate(pb.durationFromMs(1));
// @ts-expect-error
pb.anyUnpack(order, Order);
// @ts-expect-error
pb.nothing();
// @ts-expect-error
order.toObject().idd;
void customer;
