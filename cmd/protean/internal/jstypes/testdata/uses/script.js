// A script in JavaScript, as editors check it.
// @ts-check
const pb = require("protobuf");

/** @type {pb.shop.orders.v1.Order} */
const order = new (pb.messageType("shop.orders.v1.Order"))({ id: "1" });
order.items.push({ quantity: 1 });
// @ts-expect-error
order.id = 1;
// @ts-expect-error
order.items.push({ quantty: 1 });
