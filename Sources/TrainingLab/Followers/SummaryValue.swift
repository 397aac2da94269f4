internal import Bytes
internal import JSON
internal import Training

/// One value of a TensorBoard summary: a number, a text or hyperparameters under a tag.
struct SummaryValue {
    private var tag = UnsafeRawBufferPointer(start: nil, count: 0)
    private var number: Double?
    private var tensor: SummaryTensor?
    private var plugin = ""
    private var content = UnsafeRawBufferPointer(start: nil, count: 0)

    init(_ message: ProtobufReader) throws(ByteDamage) {
        var message = message
        while let field = try message.next() {
            switch field.number {
            case 1: tag = field.bytes
            case 2: number = field.float.map(Double.init)
            case 8: if let value = field.message { tensor = try SummaryTensor(value) }
            case 9: try readMetadata(field)
            default: break
            }
        }
    }

    private mutating func readMetadata(_ field: ProtobufReader.Field) throws(ByteDamage) {
        var metadata = field.message
        while let data = try metadata?.next() {
            guard data.number == 1, var message = data.message else { continue }
            while let part = try message.next() {
                if part.number == 1 { plugin = part.text ?? "" }
                if part.number == 2 { content = part.bytes }
            }
        }
    }

    func add(to intake: inout RunIntake, step: Int64, time: Int64) throws(ByteDamage) {
        if let value = number ?? (plugin.isEmpty || plugin == "scalars" ? tensor?.scalar : nil) {
            intake.add(tag, step: step, time: time, value: value)
        } else if plugin == "hparams" {
            if let text = try Hyperparameters.text(content) { intake.head.configuration = text }
        } else if let text = tensor?.text, plugin.isEmpty || plugin == "text" {
            let name = String(decoding: tag, as: UTF8.self)
            intake.add(RunSample(step: Int(step), time: time, prompt: name, text: text))
        }
    }
}

/// A tensor as far as a chart needs it: one number, or a text.
struct SummaryTensor {
    private(set) var scalar: Double?
    private(set) var text: String?

    /// Numbers of the types in types.proto.
    private enum ElementType {
        static let float: UInt64 = 1
        static let double: UInt64 = 2
        static let int32: UInt64 = 3
        static let string: UInt64 = 7
        static let int64: UInt64 = 9
        static let bfloat16: UInt64 = 14
        static let half: UInt64 = 19
    }

    init(_ message: ProtobufReader) throws(ByteDamage) {
        var message = message
        var type: UInt64 = 0
        var content: UnsafeRawBufferPointer?
        var values: [Double] = []
        var halves: [UInt16] = []
        while let field = try message.next() {
            switch field.number {
            case 1: type = field.word
            case 4: content = field.bytes
            case 5: try Self.collect(field, &values) { Self.float($0) }
            case 6: try Self.collect(field, &values) { Self.double($0) }
            case 7, 10: try Self.collect(field, &values)
            case 8: text = text ?? field.text
            case 13:
                var numbers: [Double] = []
                try Self.collect(field, &numbers)
                halves += numbers.prefix(2).map { UInt16(truncatingIfNeeded: Int64($0)) }
            default: break
            }
        }
        if halves.count == 1 { scalar = Self.half(halves[0], type) }
        if values.count == 1 { scalar = values[0] }
        if scalar == nil, let content { scalar = Self.scalar(content, type) }
        if type != ElementType.string { text = nil }
    }

    /// Numbers, packed or not; more than two are as many as a thousand: no scalar.
    private static func collect(
        _ field: ProtobufReader.Field, _ values: inout [Double], _ read: ((UnsafeRawBufferPointer) -> Double?)? = nil
    ) throws(ByteDamage) {
        guard values.count < 2 else { return }
        switch field.wire {
        case 0: values.append(Double(Int64(bitPattern: field.word)))
        case 1: values.append(Double(bitPattern: field.word))
        case 5: values.append(Double(field.float ?? 0))
        default:
            guard let read else {
                var packed = field.message
                while values.count < 2, let numbers = packed, !numbers.isAtEnd {
                    values.append(Double(Int64(bitPattern: try packed?.varint() ?? 0)))
                }
                return
            }
            if let value = read(field.bytes) {
                values.append(value)
            } else if !field.bytes.isEmpty {
                values += [0, 0]
            }
        }
    }

    private static func float(_ bytes: UnsafeRawBufferPointer) -> Double? {
        guard bytes.count == 4 else { return nil }
        return Double(Float(bitPattern: bytes.loadUnaligned(as: UInt32.self).littleEndian))
    }

    private static func double(_ bytes: UnsafeRawBufferPointer) -> Double? {
        guard bytes.count == 8 else { return nil }
        return Double(bitPattern: bytes.loadUnaligned(as: UInt64.self).littleEndian)
    }

    /// The one number that the bytes of a tensor are; `nil` if they are more.
    private static func scalar(_ bytes: UnsafeRawBufferPointer, _ type: UInt64) -> Double? {
        switch (type, bytes.count) {
        case (ElementType.float, 4): float(bytes)
        case (ElementType.double, 8): double(bytes)
        case (ElementType.int32, 4): Double(bytes.loadUnaligned(as: Int32.self).littleEndian)
        case (ElementType.int64, 8): Double(bytes.loadUnaligned(as: Int64.self).littleEndian)
        case (ElementType.half, 2), (ElementType.bfloat16, 2):
            half(bytes.loadUnaligned(as: UInt16.self).littleEndian, type)
        default: nil
        }
    }

    private static func half(_ bits: UInt16, _ type: UInt64) -> Double {
        if type == ElementType.bfloat16 { return Double(Float(bitPattern: UInt32(bits) << 16)) }
        let sign: Double = bits & 0x8000 != 0 ? -1 : 1
        let exponent = Int(bits >> 10) & 31
        let fraction = Double(bits & 0x3FF)
        if exponent == 31 { return fraction == 0 ? sign * .infinity : .nan }
        if exponent == 0 { return sign * Double(sign: .plus, exponent: -24, significand: fraction) }
        return sign * Double(sign: .plus, exponent: exponent - 25, significand: 1024 + fraction)
    }
}

/// Hyperparameters of a session, which the plugin `hparams` puts into a summary.
///
/// Source: tensorboard/plugins/hparams/plugin_data.proto; the values are google.protobuf.Value.
enum Hyperparameters {
    /// The parameters as JSON text, by name; `nil` if the bytes hold none.
    static func text(_ content: UnsafeRawBufferPointer) throws(ByteDamage) -> String? {
        var data = ProtobufReader(content)
        while let field = try data.next() {
            guard field.number == 3, var session = field.message else { continue }
            var found: [(name: String, value: Value)] = []
            while let entry = try session.next() {
                guard entry.number == 1, var pair = entry.message, found.count < 10_000 else { continue }
                var name = ""
                var value = Value.null
                while let part = try pair.next() {
                    if part.number == 1 { name = part.text ?? "" }
                    if part.number == 2, let message = part.message { value = try Value(message) }
                }
                found.append((name, value))
            }
            var json = JSONWriter(style: .pretty)
            json.object { json in
                for (name, value) in found.sorted(by: { $0.name < $1.name }) { json.member(name, value) }
            }
            return json.text
        }
        return nil
    }

    enum Value: JSONRepresentable {
        case null
        case number(Double)
        case text(String)
        case flag(Bool)

        init(_ message: ProtobufReader) throws(ByteDamage) {
            self = .null
            var message = message
            while let field = try message.next() {
                switch field.number {
                case 2: self = field.double.map(Value.number) ?? .null
                case 3: self = field.text.map(Value.text) ?? .null
                case 4: self = .flag(field.word != 0)
                default: break
                }
            }
        }

        func write(to json: inout JSONWriter) {
            switch self {
            case .null: json.null()
            case .number(let number): json.measure(number)
            case .text(let text): json.string(text)
            case .flag(let flag): json.bool(flag)
            }
        }
    }
}
