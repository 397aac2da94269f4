internal import Bytes
internal import Foundation
internal import GRDB
internal import Tokenizers

/// What was found out about a feature elsewhere.
struct ImportedFeature: Equatable {
    var feature: Int
    var maximum: Float = 0
    var density = 0.0
    var positive: [TokenLogit] = []
    var negative: [TokenLogit] = []
    var histogram: [Int] = []
    var examples: [Example] = []

    /// Texts and the activation on each.
    struct Example: Equatable {
        var texts: [String]
        var values: [Float]
    }

    func dashboard(labels: [FeatureLabel]) -> FeatureDashboard {
        var dashboard = FeatureDashboard(feature: feature)
        dashboard.labels = labels
        dashboard.density = density
        dashboard.maximum = maximum
        dashboard.histogram = FeatureHistogram(counts: histogram, maximum: maximum)
        dashboard.top = examples.map { example in
            let peak = example.values.indices.max { example.values[$0] < example.values[$1] } ?? 0
            return FeatureExample(position: nil, tokens: [], texts: example.texts, values: example.values, peak: peak)
        }
        .sorted { $0.value > $1.value }
        dashboard.positive = positive
        dashboard.negative = negative
        dashboard.isImported = true
        return dashboard
    }

    var bytes: [UInt8] {
        var bytes = ByteWriter()
        bytes.write(UInt32(feature))
        bytes.write(maximum)
        bytes.write(density)
        for logits in [positive, negative] {
            bytes.write(list: logits.map(\.value))
            for logit in logits { bytes.write(text: logit.text ?? "") }
        }
        bytes.write(list: histogram.map(Int64.init))
        bytes.write(UInt32(examples.count))
        for example in examples {
            bytes.write(list: example.values)
            for text in example.texts { bytes.write(text: text) }
        }
        return bytes.bytes
    }

    init(feature: Int) { self.feature = feature }

    init(_ reader: ByteReader) throws(ByteDamage) {
        var bytes = reader
        feature = Int(try bytes.read(UInt32.self))
        maximum = try bytes.readFloat()
        density = try bytes.readDouble()
        positive = try Self.logits(&bytes)
        negative = try Self.logits(&bytes)
        histogram = try bytes.list(Int64.self).map(Int.init)
        for _ in 0..<(try bytes.read(UInt32.self)) {
            let values: [Float] = try bytes.list()
            examples.append(Example(texts: try Self.texts(values.count, &bytes), values: values))
        }
        guard bytes.isAtEnd, maximum.bitPattern < Float.infinity.bitPattern, density.isFinite,
            histogram.allSatisfy({ 0...1 << 50 ~= $0 })
        else { throw ByteDamage() }
    }

    private static func logits(_ bytes: inout ByteReader) throws(ByteDamage) -> [TokenLogit] {
        let values: [Float] = try bytes.list()
        return zip(try texts(values.count, &bytes), values).map { TokenLogit(token: nil, text: $0, value: $1) }
    }

    private static func texts(_ count: Int, _ bytes: inout ByteReader) throws(ByteDamage) -> [String] {
        var texts: [String] = []
        for _ in 0..<count { texts.append(try bytes.text()) }
        return texts
    }
}

extension FeatureStore {
    static func imported(_ id: Int64, _ feature: Int, _ db: Database) throws -> ImportedFeature? {
        let data = try Data.fetchOne(
            db, sql: "SELECT data FROM feature_import WHERE dictionary = ? AND feature = ?", arguments: [id, feature])
        return try data.map { data in
            try Frame.decoded(data, "the imported record of feature \(feature)") { bytes throws(ByteDamage) in
                try ImportedFeature(bytes)
            }
        }
    }
}
