internal import Bytes
internal import Tokenizers

/// The stored data of a feature's dashboard, without tokens and labels.
struct FeatureRecord: Equatable {
    static let bins = 50
    static let groupCount = 10

    var feature = 0
    var count = 0
    var total = 0.0
    var maximum: Float = 0
    /// Counts in `bins` equal parts of 0 to the maximum; empty if there are none.
    var histogram: [Int] = []
    var top: [Example] = []
    /// Groups of examples, from the maximum down; empty if there are none.
    var groups: [[Example]] = []
    var positive: [TokenLogit] = []
    var negative: [TokenLogit] = []
    var correlated: [RelatedNumber] = []
    var neighbors: [RelatedNumber] = []

    /// An activation with those around it.
    struct Example: Equatable {
        var position: Int
        /// Of the sequence, at most `ExampleLayout.radius` on either side.
        var values: [Float]
        /// Which of them it is.
        var peak: Int

        var value: Float { values[peak] }
        /// The token of the first value in the whole stream.
        var first: Int { position - peak }
    }
}

extension FeatureRecord {
    var bytes: [UInt8] {
        var bytes = ByteWriter()
        bytes.write(UInt32(feature))
        bytes.write(Int64(count))
        bytes.write(total)
        bytes.write(maximum)
        bytes.write(list: histogram.map(Int64.init))
        Self.write(top, &bytes)
        bytes.write(UInt32(groups.count))
        for group in groups { Self.write(group, &bytes) }
        for logits in [positive, negative] {
            bytes.write(UInt32(logits.count))
            for logit in logits {
                bytes.write(logit.token ?? -1)
                bytes.write(logit.value)
                bytes.write(text: logit.text ?? "")
            }
        }
        for related in [correlated, neighbors] {
            bytes.write(list: related.map { UInt32($0.feature) })
            bytes.write(list: related.map(\.value))
        }
        return bytes.bytes
    }

    init(_ reader: ByteReader) throws(ByteDamage) {
        var bytes = reader
        feature = Int(try bytes.read(UInt32.self))
        count = Int(try bytes.read(Int64.self))
        total = try bytes.readDouble()
        maximum = try bytes.readFloat()
        histogram = try bytes.list(Int64.self).map(Int.init)
        top = try Self.examples(&bytes)
        for _ in 0..<(try bytes.read(UInt32.self)) { groups.append(try Self.examples(&bytes)) }
        positive = try Self.logits(&bytes)
        negative = try Self.logits(&bytes)
        correlated = try Self.related(&bytes)
        neighbors = try Self.related(&bytes)
        guard bytes.isAtEnd, 0...Int(UInt32.max) ~= count, total.isFinite,
            maximum.bitPattern < Float.infinity.bitPattern, histogram.allSatisfy({ 0...count ~= $0 })
        else { throw ByteDamage() }
    }

    private static func write(_ examples: [Example], _ bytes: inout ByteWriter) {
        bytes.write(UInt32(examples.count))
        for example in examples {
            bytes.write(Int64(example.position))
            bytes.write(UInt32(example.peak))
            bytes.write(list: example.values)
        }
    }

    private static func examples(_ bytes: inout ByteReader) throws(ByteDamage) -> [Example] {
        var examples: [Example] = []
        for _ in 0..<(try bytes.read(UInt32.self)) {
            let position = Int(try bytes.read(Int64.self))
            let peak = Int(try bytes.read(UInt32.self))
            let values: [Float] = try bytes.list()
            guard peak < values.count, position >= peak, position <= Int(UInt32.max) else { throw ByteDamage() }
            examples.append(Example(position: position, values: values, peak: peak))
        }
        return examples
    }

    private static func logits(_ bytes: inout ByteReader) throws(ByteDamage) -> [TokenLogit] {
        var logits: [TokenLogit] = []
        for _ in 0..<(try bytes.read(UInt32.self)) {
            let token = try bytes.read(TokenID.self)
            let value = try bytes.readFloat()
            let text = try bytes.text()
            logits.append(TokenLogit(token: token < 0 ? nil : token, text: text.isEmpty ? nil : text, value: value))
        }
        return logits
    }

    private static func related(_ bytes: inout ByteReader) throws(ByteDamage) -> [RelatedNumber] {
        let features: [UInt32] = try bytes.list()
        let values: [Float] = try bytes.list()
        guard features.count == values.count else { throw ByteDamage() }
        return zip(features, values).map { RelatedNumber(feature: Int($0), value: $1) }
    }
}
