// Declarations of the module "protobuf", which Go programs give their scripts with
// package gojapb. What `protean js-types` writes for a schema adds to them.
//
// Names that begin with a dollar sign are for what it writes.

declare module "protobuf" {
  /**
   * How the Go program gives 64-bit integers to its scripts. Generated declarations
   * add the member `int64`; without it they may be of any type.
   */
  interface Policy {}

  /** A 64-bit integer as it is read. */
  type Int64 = Policy extends { int64: infer T } ? T : any;

  /** A 64-bit integer as it is set: exact in any of the three. */
  type Int64Init = number | bigint | string;

  /** The constructors of messages, by full name. Generated declarations add to it. */
  interface MessageTypes {}

  /** The enums, by full name. Generated declarations add to it. */
  interface EnumTypes {}

  /** A value of `google.protobuf.Value`. */
  type Value = null | number | string | boolean | Value[] | { [key: string]: Value };

  /** Binary data that is only read. */
  type Bytes = Uint8Array | ArrayBuffer;

  // ---- Messages

  /** A message of any type. */
  interface Message {
    /** The full name of the message's type. */
    readonly $type: string;
    /**
     * The value of a field, by its name in the schema or in JSON: its default where it is
     * not set, `null` for a message. Lists, maps and messages are live views.
     */
    get(field: string): any;
    /** Sets a field; `null` and `undefined` clear it. */
    set(field: string, value: any): void;
    /** Whether a field is set; for lists and maps, whether there is anything in them. */
    has(field: string): boolean;
    clear(field: string): void;
    /** The name in the schema of the member that is set. */
    whichOneof(oneof: string): string | undefined;
    clearOneof(oneof: string): void;
    /** The message in the shapes of ProtoJSON, for `JSON.stringify`. */
    toJSON(): any;
    /**
     * The fields that are set, by their names in JSON, as plain values in depth. None of
     * them is a view of the message, and the constructor takes them.
     */
    toObject(): any;
  }

  /** A message of a type that the declarations do not know: any property may be a field. */
  interface AnyMessage extends Message {
    [field: string]: any;
  }

  /** Makes messages of a type. */
  interface MessageType<T extends Message = AnyMessage, I = { [field: string]: any }> {
    /** A new message: empty, with fields from plain values in depth, or a copy. */
    new (init?: I | T | null): T;
    readonly prototype: T;
    /** The full name of the type. */
    readonly typeName: string;
  }

  /** An enum both ways: its numbers by name, and its names by number. */
  interface EnumType {
    readonly [name: string]: number | string | undefined;
  }

  /**
   * A repeated field: an array that is a live view of the message. It has no holes and
   * takes only what the field can hold; `set`, `push` and the like take plain values for
   * messages, and names for enums.
   */
  interface List<R extends W, W = R> extends Array<R> {
    /** The element at an index, or `undefined` if there is none. */
    get(index: number): R | undefined;
    /** Replaces an element that is there. */
    set(index: number, value: W): void;
    add(value: W): void;
    clear(): void;
    push(...values: W[]): number;
    pop(): R | undefined;
    shift(): R | undefined;
    unshift(...values: W[]): number;
    splice(start: number, deleteCount?: number): R[];
    splice(start: number, deleteCount: number, ...values: W[]): R[];
    fill(value: W, start?: number, end?: number): this;
    sort(compare?: (a: R, b: R) => number): this;
    reverse(): this;
    copyWithin(target: number, start: number, end?: number): this;
    /** The elements in the shapes of ProtoJSON, for `JSON.stringify`. */
    toJSON(): any[];
    /** The elements as plain values in depth, none of which is a view of the message. */
    toObject(): any[];
  }

  /**
   * A map field: a live view of the message, with the methods of a `Map`. Keys come in
   * ascending order. Strings will do for keys that are numbers and booleans.
   */
  interface MapField<K, R, KW = K, W = R> {
    readonly size: number;
    get(key: KW): R | undefined;
    set(key: KW, value: W): this;
    has(key: KW): boolean;
    /** Whether the key was there. */
    delete(key: KW): boolean;
    clear(): void;
    /** The value comes first, as with a `Map`. */
    forEach(callback: (value: R, key: K, map: this) => void, thisArg?: any): void;
    entries(): IterableIterator<[K, R]>;
    keys(): IterableIterator<K>;
    values(): IterableIterator<R>;
    [Symbol.iterator](): IterableIterator<[K, R]>;
    /** The entries in the shapes of ProtoJSON, for `JSON.stringify`. */
    toJSON(): { [key: string]: any };
    /** The entries as plain values in depth, none of which is a view of the message. */
    toObject(): { [key: string]: any };
  }

  /** What a repeated field is set from: an array or anything else that is iterable, but no string. */
  type ListInit<W> = Iterable<W> & object;

  /** What a map field is set from. */
  type MapInit<K, W> = ReadonlyMap<K, W> | MapField<K, W, any, any> | { [key: string]: W };

  // ---- Schemas

  /**
   * Loads the files of a `google.protobuf.FileDescriptorSet` and returns the full names of
   * their types. Loading equal files again is fine; a conflict throws and changes nothing.
   */
  function loadDescriptorSet(bytes: Bytes): string[];

  /** Loads one `google.protobuf.FileDescriptorProto`, as `loadDescriptorSet` does. */
  function loadFileDescriptorProto(bytes: Bytes): string[];

  /** The constructor of a message type. */
  function messageType<N extends keyof MessageTypes>(fullName: N): MessageTypes[N];
  function messageType(fullName: string): MessageType;

  /** The numbers and names of an enum, frozen. */
  function enumType<N extends keyof EnumTypes>(fullName: N): EnumTypes[N];
  function enumType(fullName: string): EnumType;

  // ---- Encodings

  /** The message in binary. */
  function encode(message: Message): Uint8Array;

  /** Reads a message from binary. */
  function decode<T extends Message, I>(type: MessageType<T, I>, bytes: Bytes): T;

  /** The message as a plain object in the shapes of ProtoJSON. */
  function toJSON(message: Message): any;

  /**
   * Reads a message from a value in the shapes of ProtoJSON. A `Map` is taken as the object
   * of its entries, a `Set` as the array of its elements.
   */
  function fromJSON<T extends Message, I>(type: MessageType<T, I>, value: unknown, options?: FromJSONOptions): T;

  /** What `fromJSON` does otherwise than by default. */
  interface FromJSONOptions {
    /** Whether fields and names of enum values are ignored that the schema has not got, rather than refused. */
    discardUnknown?: boolean;
  }

  // ---- Utilities

  /** Whether both are of one type and have equal fields. */
  function equals(a: Message, b: Message): boolean;

  /** A copy in depth. */
  function clone<T extends Message>(message: T): T;

  /** Whether a value is a message, of the given type if there is one: a full name or a constructor. */
  function isMessage<N extends keyof MessageTypes>(value: unknown, fullName: N): value is $Of<MessageTypes[N]>;
  function isMessage<T extends Message, I>(value: unknown, type: MessageType<T, I>): value is T;
  function isMessage(value: unknown, fullName?: string): value is Message;

  /** `message.has(field)` */
  function isFieldSet<T extends Message>(message: T, field: Parameters<T["has"]>[0]): boolean;

  /** `message.clear(field)` */
  function clearField<T extends Message>(message: T, field: Parameters<T["clear"]>[0]): void;

  // ---- Time

  function timestampNow(): google.protobuf.Timestamp;
  function timestampFromDate(date: Date): google.protobuf.Timestamp;
  /** What is beyond a `Date` is a `RangeError`. */
  function timestampDate(timestamp: google.protobuf.Timestamp): Date;
  /** From milliseconds since 1970, whose fraction is dropped as `new Date(ms)` does. */
  function timestampFromMs(ms: number): google.protobuf.Timestamp;
  /** Milliseconds since 1970. What no number can say exactly is a `RangeError`. */
  function timestampMs(timestamp: google.protobuf.Timestamp): number;
  /** From milliseconds, whose fraction is dropped. */
  function durationFromMs(ms: number): google.protobuf.Duration;
  /** Milliseconds. What no number can say exactly is a `RangeError`. */
  function durationMs(duration: google.protobuf.Duration): number;

  // ---- Any

  /** Packs a message of the given type. */
  function anyPack<T extends Message, I>(type: MessageType<T, I>, message: T): google.protobuf.Any;

  /** Unpacks a message, which must be of the given type. */
  function anyUnpack<T extends Message, I>(any: google.protobuf.Any, type: MessageType<T, I>): T;

  /** Whether the packed message is of a type, given by its constructor or its full name. */
  function anyIs(any: google.protobuf.Any, type: { readonly typeName: string } | string): boolean;

  // ---- What generated declarations are made of

  /** A message with the properties `T`, set from `I`, with the oneofs `O`, and fields `S` that methods hide. */
  interface $Message<T, I, O = {}, S = {}> extends Message {
    get<K extends keyof I & string>(field: K): K extends keyof S ? S[K] : K extends keyof T ? T[K] : never;
    set<K extends keyof I & string>(field: K, value: I[K] | $Unset): void;
    has(field: keyof I & string): boolean;
    clear(field: keyof I & string): void;
    whichOneof<K extends keyof O & string>(oneof: K): (O[K] & string) | undefined;
    clearOneof(oneof: keyof O & string): void;
  }

  /** What clears a field that is set to it. */
  type $Unset = null | undefined;

  /** The messages that a constructor makes. */
  type $Of<C> = C extends { readonly prototype: infer T } ? T : never;

  /** What plain objects have without setting it. */
  type $Inherited = Object;

  type $List<R extends W, W> = List<R, W>;
  type $ListInit<W> = ListInit<W>;
  type $Map<K, R, KW, W> = MapField<K, R, KW, W>;
  type $MapInit<K, W> = MapInit<K, W>;
  type $Int64 = Int64;
  type $Int64Init = Int64Init;
  type $Bytes = Uint8Array;
  type $BytesInit = Bytes;
  type $Date = Date;
  type $Value = Value;
  type $Struct = { [key: string]: Value };
  type $ListValue = Value[];

  // ---- Well-known types, written by TestWellKnownTypes of the command

  interface MessageTypes {
    "google.protobuf.Any": MessageType<google.protobuf.Any, google.protobuf.Any.$Init>;
    "google.protobuf.BoolValue": MessageType<google.protobuf.BoolValue, google.protobuf.BoolValue.$Init>;
    "google.protobuf.BytesValue": MessageType<google.protobuf.BytesValue, google.protobuf.BytesValue.$Init>;
    "google.protobuf.DoubleValue": MessageType<google.protobuf.DoubleValue, google.protobuf.DoubleValue.$Init>;
    "google.protobuf.Duration": MessageType<google.protobuf.Duration, google.protobuf.Duration.$Init>;
    "google.protobuf.Empty": MessageType<google.protobuf.Empty, google.protobuf.Empty.$Init>;
    "google.protobuf.FieldMask": MessageType<google.protobuf.FieldMask, google.protobuf.FieldMask.$Init>;
    "google.protobuf.FloatValue": MessageType<google.protobuf.FloatValue, google.protobuf.FloatValue.$Init>;
    "google.protobuf.Int32Value": MessageType<google.protobuf.Int32Value, google.protobuf.Int32Value.$Init>;
    "google.protobuf.Int64Value": MessageType<google.protobuf.Int64Value, google.protobuf.Int64Value.$Init>;
    "google.protobuf.ListValue": MessageType<google.protobuf.ListValue, google.protobuf.ListValue.$Init>;
    "google.protobuf.StringValue": MessageType<google.protobuf.StringValue, google.protobuf.StringValue.$Init>;
    "google.protobuf.Struct": MessageType<google.protobuf.Struct, google.protobuf.Struct.$Init>;
    "google.protobuf.Timestamp": MessageType<google.protobuf.Timestamp, google.protobuf.Timestamp.$Init>;
    "google.protobuf.UInt32Value": MessageType<google.protobuf.UInt32Value, google.protobuf.UInt32Value.$Init>;
    "google.protobuf.UInt64Value": MessageType<google.protobuf.UInt64Value, google.protobuf.UInt64Value.$Init>;
    "google.protobuf.Value": MessageType<google.protobuf.Value, google.protobuf.Value.$Init>;
  }

  interface EnumTypes {
    "google.protobuf.NullValue": google.protobuf.NullValue.$Type;
  }

  namespace google.protobuf {
    interface Any extends $Message<Any, Any.$Init> {
      readonly $type: "google.protobuf.Any";
      get type_url(): string; set type_url(value: string | $Unset);
      get typeUrl(): string; set typeUrl(value: string | $Unset);
      get value(): $Bytes; set value(value: $BytesInit | $Unset);
      toObject(): Any.$Object;
    }

    namespace Any {
      interface $Init {
        type_url?: string | $Unset;
        typeUrl?: string | $Unset;
        value?: $BytesInit | $Unset;
      }

      interface $Object {
        typeUrl?: string;
        value?: $Bytes;
      }
    }

    interface Duration extends $Message<Duration, Duration.$Init> {
      readonly $type: "google.protobuf.Duration";
      get seconds(): $Int64; set seconds(value: $Int64Init | $Unset);
      get nanos(): number; set nanos(value: number | $Unset);
      toObject(): Duration.$Object;
    }

    namespace Duration {
      interface $Init {
        seconds?: $Int64Init | $Unset;
        nanos?: number | $Unset;
      }

      interface $Object {
        seconds?: $Int64;
        nanos?: number;
      }
    }

    interface Empty extends $Message<Empty, Empty.$Init> {
      readonly $type: "google.protobuf.Empty";
      toObject(): Empty.$Object;
    }

    namespace Empty {
      interface $Init {
      }

      interface $Object {
      }
    }

    interface FieldMask extends $Message<FieldMask, FieldMask.$Init> {
      readonly $type: "google.protobuf.FieldMask";
      get paths(): $List<string, string>; set paths(value: $ListInit<string> | $Unset);
      toObject(): FieldMask.$Object;
    }

    namespace FieldMask {
      interface $Init {
        paths?: $ListInit<string> | $Unset;
      }

      interface $Object {
        paths?: string[];
      }
    }

    interface Struct extends $Message<Struct, Struct.$Init> {
      readonly $type: "google.protobuf.Struct";
      get fields(): $Map<string, $Value, string, $Value>; set fields(value: $MapInit<string, $Value> | $Unset);
      toObject(): Struct.$Object;
    }

    namespace Struct {
      interface $Init {
        fields?: $MapInit<string, $Value> | $Unset;
      }

      interface $Object {
        fields?: { [key: string]: $Value };
      }
    }

    interface Value extends $Message<Value, Value.$Init, Value.$Oneofs> {
      readonly $type: "google.protobuf.Value";
      get null_value(): NullValue; set null_value(value: NullValue | NullValue.$Name | $Unset);
      get nullValue(): NullValue; set nullValue(value: NullValue | NullValue.$Name | $Unset);
      get number_value(): number; set number_value(value: number | $Unset);
      get numberValue(): number; set numberValue(value: number | $Unset);
      get string_value(): string; set string_value(value: string | $Unset);
      get stringValue(): string; set stringValue(value: string | $Unset);
      get bool_value(): boolean; set bool_value(value: boolean | $Unset);
      get boolValue(): boolean; set boolValue(value: boolean | $Unset);
      get struct_value(): $Struct | null; set struct_value(value: $Struct | $Unset);
      get structValue(): $Struct | null; set structValue(value: $Struct | $Unset);
      get list_value(): $ListValue | null; set list_value(value: $ListValue | $Unset);
      get listValue(): $ListValue | null; set listValue(value: $ListValue | $Unset);
      toObject(): Value.$Object;
    }

    namespace Value {
      interface $Init {
        null_value?: NullValue | NullValue.$Name | $Unset;
        nullValue?: NullValue | NullValue.$Name | $Unset;
        number_value?: number | $Unset;
        numberValue?: number | $Unset;
        string_value?: string | $Unset;
        stringValue?: string | $Unset;
        bool_value?: boolean | $Unset;
        boolValue?: boolean | $Unset;
        struct_value?: $Struct | $Unset;
        structValue?: $Struct | $Unset;
        list_value?: $ListValue | $Unset;
        listValue?: $ListValue | $Unset;
      }

      interface $Object {
        nullValue?: NullValue;
        numberValue?: number;
        stringValue?: string;
        boolValue?: boolean;
        structValue?: $Struct;
        listValue?: $ListValue;
      }

      interface $Oneofs {
        kind: "null_value" | "number_value" | "string_value" | "bool_value" | "struct_value" | "list_value";
      }
    }

    interface ListValue extends $Message<ListValue, ListValue.$Init> {
      readonly $type: "google.protobuf.ListValue";
      get values(): $List<$Value, $Value>; set values(value: $ListInit<$Value> | $Unset);
      toObject(): ListValue.$Object;
    }

    namespace ListValue {
      interface $Init {
        values?: $ListInit<$Value> | $Unset;
      }

      interface $Object {
        values?: $Value[];
      }
    }

    type NullValue = number;

    namespace NullValue {
      type $Name = "NULL_VALUE";

      interface $Type {
        readonly [value: number]: $Name | undefined;
        readonly NULL_VALUE: 0;
        readonly 0: "NULL_VALUE";
      }
    }

    interface Timestamp extends $Message<Timestamp, Timestamp.$Init> {
      readonly $type: "google.protobuf.Timestamp";
      get seconds(): $Int64; set seconds(value: $Int64Init | $Unset);
      get nanos(): number; set nanos(value: number | $Unset);
      toObject(): Timestamp.$Object;
    }

    namespace Timestamp {
      interface $Init {
        seconds?: $Int64Init | $Unset;
        nanos?: number | $Unset;
      }

      interface $Object {
        seconds?: $Int64;
        nanos?: number;
      }
    }

    interface DoubleValue extends $Message<DoubleValue, DoubleValue.$Init> {
      readonly $type: "google.protobuf.DoubleValue";
      get value(): number; set value(value: number | $Unset);
      toObject(): DoubleValue.$Object;
    }

    namespace DoubleValue {
      interface $Init {
        value?: number | $Unset;
      }

      interface $Object {
        value?: number;
      }
    }

    interface FloatValue extends $Message<FloatValue, FloatValue.$Init> {
      readonly $type: "google.protobuf.FloatValue";
      get value(): number; set value(value: number | $Unset);
      toObject(): FloatValue.$Object;
    }

    namespace FloatValue {
      interface $Init {
        value?: number | $Unset;
      }

      interface $Object {
        value?: number;
      }
    }

    interface Int64Value extends $Message<Int64Value, Int64Value.$Init> {
      readonly $type: "google.protobuf.Int64Value";
      get value(): $Int64; set value(value: $Int64Init | $Unset);
      toObject(): Int64Value.$Object;
    }

    namespace Int64Value {
      interface $Init {
        value?: $Int64Init | $Unset;
      }

      interface $Object {
        value?: $Int64;
      }
    }

    interface UInt64Value extends $Message<UInt64Value, UInt64Value.$Init> {
      readonly $type: "google.protobuf.UInt64Value";
      get value(): $Int64; set value(value: $Int64Init | $Unset);
      toObject(): UInt64Value.$Object;
    }

    namespace UInt64Value {
      interface $Init {
        value?: $Int64Init | $Unset;
      }

      interface $Object {
        value?: $Int64;
      }
    }

    interface Int32Value extends $Message<Int32Value, Int32Value.$Init> {
      readonly $type: "google.protobuf.Int32Value";
      get value(): number; set value(value: number | $Unset);
      toObject(): Int32Value.$Object;
    }

    namespace Int32Value {
      interface $Init {
        value?: number | $Unset;
      }

      interface $Object {
        value?: number;
      }
    }

    interface UInt32Value extends $Message<UInt32Value, UInt32Value.$Init> {
      readonly $type: "google.protobuf.UInt32Value";
      get value(): number; set value(value: number | $Unset);
      toObject(): UInt32Value.$Object;
    }

    namespace UInt32Value {
      interface $Init {
        value?: number | $Unset;
      }

      interface $Object {
        value?: number;
      }
    }

    interface BoolValue extends $Message<BoolValue, BoolValue.$Init> {
      readonly $type: "google.protobuf.BoolValue";
      get value(): boolean; set value(value: boolean | $Unset);
      toObject(): BoolValue.$Object;
    }

    namespace BoolValue {
      interface $Init {
        value?: boolean | $Unset;
      }

      interface $Object {
        value?: boolean;
      }
    }

    interface StringValue extends $Message<StringValue, StringValue.$Init> {
      readonly $type: "google.protobuf.StringValue";
      get value(): string; set value(value: string | $Unset);
      toObject(): StringValue.$Object;
    }

    namespace StringValue {
      interface $Init {
        value?: string | $Unset;
      }

      interface $Object {
        value?: string;
      }
    }

    interface BytesValue extends $Message<BytesValue, BytesValue.$Init> {
      readonly $type: "google.protobuf.BytesValue";
      get value(): $Bytes; set value(value: $BytesInit | $Unset);
      toObject(): BytesValue.$Object;
    }

    namespace BytesValue {
      interface $Init {
        value?: $BytesInit | $Unset;
      }

      interface $Object {
        value?: $Bytes;
      }
    }
  }
}
