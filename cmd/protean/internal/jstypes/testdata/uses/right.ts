// What scripts may do with the schemas orders, telemetry and nasty.
import pb = require("protobuf");

type Order = pb.shop.orders.v1.Order;

function is<T>(value: T): void {
  void value;
}

const Order = pb.messageType("shop.orders.v1.Order");
const LineItem = pb.messageType("shop.orders.v1.LineItem");
const Status = pb.enumType("shop.orders.v1.Order.Status");

// Messages from plain values in depth, by both names of their fields.
const order = new Order({
  id: "o-1",
  number: 12n,
  status: "STATUS_PAID",
  customer: { id: "c-1", memberSince: new Date() },
  items: [{ quantity: 2, product: { sku: "s", dimensions: { length_cm: 1 } } }, new LineItem()],
  gift_voucher: "v",
  shippingAddress: { lines: new Set(["a", "b"]), latitude: null },
  labels: { a: "b" },
  discounts: new Map([["x", { units: "1" }]]),
  history: new Map<number | bigint, number>([[1, 2], [3n, 4]]),
  attribution: { nested: [1, "a", null, { deep: true }] },
  note: { value: "n" },
  receiptDigest: new Uint8Array(2).buffer,
});
new Order();
new Order(null);
new Order(order);
is<"shop.orders.v1.Order">(order.$type);
is<string>(Order.typeName);

// Properties.
is<string>(order.id);
is<number | bigint>(order.number);
is<number>(order.status);
is<pb.shop.orders.v1.Customer | null>(order.customer);
is<boolean>(order.onAccount);
is<Uint8Array>(order.receipt_digest);
is<{ [key: string]: pb.Value } | null>(order.attribution);
order.number = "18446744073709551615";
order.status = "STATUS_SHIPPED";
order.status = Status.STATUS_SHIPPED;
order.status = 77;
order.customer = { name: "Ada" };
order.placed_at = pb.timestampNow();
order.placedAt = new Date();
order.placedAt = { seconds: 1n, nanos: 2 };
order.note = null;
order.id = undefined;
if (order.customer) {
  is<string>(order.customer.email);
}
is<number | bigint | undefined>(order.placedAt?.seconds);

// Fields by name.
is<string>(order.get("id"));
is<pb.google.protobuf.Timestamp | null>(order.get("placedAt"));
order.set("placed_at", null);
order.set("status", "STATUS_PAID");
order.set("customer", { id: "c" });
is<boolean>(order.has("gift_voucher"));
order.clear("giftVoucher");
pb.clearField(order, "labels");
is<boolean>(pb.isFieldSet(order, "items"));
switch (order.whichOneof("payment")) {
  case "card":
  case "transfer":
  case "gift_voucher":
  case "on_account":
  case undefined:
}
order.clearOneof("payment");

// Lists.
is<number>(order.items.length);
is<pb.shop.orders.v1.LineItem>(order.items[0]);
is<pb.shop.orders.v1.LineItem | undefined>(order.items.get(0));
order.items.add({ quantity: 1, options: [{ name: "x", number: 3n }] });
order.items.push(new LineItem(), { stockDelta: -1 });
order.items.set(0, { unitPrice: { currencyCode: "EUR" } });
order.items.clear();
for (const item of order.items) {
  is<number>(item.quantity);
}
order.items.forEach((item, i) => is<[pb.shop.orders.v1.LineItem, number]>([item, i]));
is<number[]>(order.items.map((item) => item.quantity));
order.items = [...order.items].reverse();
order.items.fill({ quantity: 2 }, 0, 1).sort((a, b) => a.quantity - b.quantity).reverse().copyWithin(0, 1).add({});
is<any[]>(order.items.toJSON());

// Maps.
is<number>(order.labels.size);
is<string | undefined>(order.labels.get("a"));
order.labels.set("a", "b").set("c", "d");
order.discounts.set("x", { units: 3 });
is<boolean>(order.history.has(3n));
is<boolean>(order.history.delete("3"));
for (const [second, status] of order.history) {
  is<number | bigint>(second);
  is<number>(status);
}
order.discounts.forEach((money, code) => is<[string, string]>([money.currency_code, code]));
is<string[]>([...order.labels.keys(), ...order.labels.values()]);
order.labels = { a: "b" };
order.labels = new Map([["a", "b"]]);

// Enums.
is<2>(Status.STATUS_PAID);
is<"STATUS_PAID">(Status[2]);
is<string | undefined>(Status[order.status]);
const name: pb.shop.orders.v1.Order.Status.$Name = "STATUS_PLACED";
is<number>(Status[name]);

// The functions of the module.
const bytes = pb.encode(order);
is<Uint8Array>(bytes);
is<Order>(pb.decode(Order, bytes));
is<Order>(pb.decode(Order, bytes.buffer as ArrayBuffer));
is<Order>(pb.fromJSON(Order, pb.toJSON(order)));
is<Order>(pb.fromJSON(Order, new Map([["id", "1"]]), { discardUnknown: true }));
is<Order>(pb.clone(order));
is<boolean>(pb.equals(order, new LineItem()));
const any = pb.anyPack(Order, order);
is<Order>(pb.anyUnpack(any, Order));
is<boolean>(pb.anyIs(any, Order) || pb.anyIs(any, "shop.orders.v1.Order"));
const unknown: unknown = order;
if (pb.isMessage(unknown, "shop.orders.v1.Order")) {
  is<string>(unknown.id);
}
if (pb.isMessage(unknown, Order)) {
  is<string>(unknown.id);
}
if (pb.isMessage(unknown)) {
  is<string>(unknown.$type);
}
is<Date>(pb.timestampDate(pb.timestampFromDate(new Date())));
is<number>(pb.timestampMs(pb.timestampFromMs(1)) + pb.durationMs(pb.durationFromMs(1)));
is<string[]>(pb.loadDescriptorSet(bytes).concat(pb.loadFileDescriptorProto(bytes)));

// Plain objects.
const plain = order.toObject();
is<string | undefined>(plain.id);
is<number | undefined>(plain.items?.[0].product?.dimensions?.lengthCm);
is<number | bigint | undefined>(plain.placedAt?.seconds);
is<{ [key: string]: string } | undefined>(plain.labels);
new Order(plain);
JSON.stringify(order);

// A class of one's own.
class Priced extends Order {
  sum(): number {
    return this.items.reduce((sum, item) => sum + item.quantity, 0);
  }
}
is<number>(new Priced({ id: "1" }).sum());

// Groups, enums and extensions.
const Report = pb.messageType("fleet.telemetry.Report");
const report = new Report({ position: { latitude: 1 }, fault: [{ code: 1 }], "[fleet.telemetry.driver_card]": "d" });
is<number | undefined>(report.position?.latitude);
is<number>(report.severity);
report.severity = new Report(report).severity;
report.severity = "SEVERITY_FAULT";
report.set("[fleet.telemetry.tyres]", [{ axle: 1 }]);
is<number>(report.get("[fleet.telemetry.tyres]")[0].axle);
is<string | undefined>(report.toObject()["[fleet.telemetry.driver_card]"]);

// Awkward names.
const Members = pb.messageType("nasty.function.v1.Members");
const members = new Members({ get: "g", set: 1n, constructor: true, toString: 3, toJSON: "j" });
is<string>(members.get("get"));
is<boolean>(members.get("constructor"));
is<number>(members.get("toString"));
is<string>(members.toString());
is<"to_json" | "toObject" | undefined>(members.whichOneof("which_oneof"));
const names = new (pb.messageType("nasty.function.v1.JSONNames"))({ "@type": "t", "with space": "s" });
is<string>(names["@type"] + names.Private + names.class);
const map = new (pb.messageType("nasty.function.v1.Map"))({ one: { outermost: { lists: new Map([[1n, { anys: [{}] }]]) } } });
is<pb.nasty.function$.v1.Map | null | undefined>(map.one?.outermost?.one?.outermost);
is<pb.$root.Bare | null>(new (pb.messageType("nasty.function.v1.Choice"))().bare);
const minus: -3 = pb.enumType("nasty.function.v1.number.Symbol").MINUS;
is<"MINUS">(pb.enumType("nasty.function.v1.number.Symbol")[minus]);
const known = new (pb.messageType("nasty.function.v1.WellKnown"))({ value: [1, { a: null }], values: ["a", 1], wrapped: { value: "1" } });
is<pb.Value>(known.value);
known.value = { any: ["thing"] };

// Types that the declarations do not know, and names that are not literals.
const Unknown = pb.messageType("acme.v1.Unknown");
const other = new Unknown({ anything: 1 });
is<string>(other.anything.goes);
other.set("anything", "goes");
is<typeof other>(pb.decode(Unknown, bytes));
is<string | number | undefined>(pb.enumType("acme.v1.Kind").ACTIVE);
for (const typeName of pb.loadDescriptorSet(bytes)) {
  new (pb.messageType(typeName))();
}
