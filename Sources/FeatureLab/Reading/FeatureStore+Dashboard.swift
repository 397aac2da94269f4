internal import Bytes
internal import Foundation
internal import GRDB
internal import Interpretability
internal import System
internal import Tokenizers
internal import Workspace

extension FeatureStore {
    /// All that is known of one feature: what the index says, or else what was imported.
    ///
    /// - Throws: An error if the dictionary has no such feature.
    public func dashboard(of id: Int64, feature: Int) throws -> FeatureDashboard {
        try workspace.read { db in
            let dictionary = try Self.dictionary(id, db)
            try Self.check(feature, of: dictionary)
            var dashboard = FeatureDashboard(feature: feature)
            dashboard.labels = try Self.labels(of: id, feature: feature, db)
            if let index = dictionary.index {
                try Self.fill(&dashboard, from: index, dictionary, db)
            } else if let imported = try Self.imported(id, feature, db) {
                dashboard = imported.dashboard(labels: dashboard.labels)
            }
            return dashboard
        }
    }

    /// Tokens of the indexed texts around a place, of its sequence alone.
    ///
    /// - Throws: An error if there is no index, or it has no such place.
    public func context(of id: Int64, around position: Int, radius: Int = 60) throws -> FeatureContext {
        try workspace.read { db in
            let dictionary = try Self.dictionary(id, db)
            guard let index = dictionary.index, (0..<index.tokens).contains(position) else {
                throw Problem(
                    .invalid, "dictionary \(dictionary.name)",
                    "token \(position) is not in the index, which has \(dictionary.index?.tokens ?? 0) tokens",
                    remedy: "Use the position of an example.")
            }
            var texts = IndexedTexts(index.id, dictionary.name, db)
            let whole = max(0, position - max(0, radius))..<min(index.tokens, position + max(0, radius) + 1)
            let range = try texts.sequence(around: position, within: whole)
            return FeatureContext(
                first: range.lowerBound, tokens: try texts.tokens(range), peak: position - range.lowerBound)
        }
    }

    static func check(_ feature: Int, of dictionary: FeatureDictionary) throws(Problem) {
        guard (0..<dictionary.featureCount).contains(feature) else {
            throw Problem(
                .invalid, "feature \(feature)", "not in dictionary \(dictionary.name)",
                remedy: "Use a feature from 0 to \(dictionary.featureCount - 1).")
        }
    }

    static func record(_ feature: Int, of index: FeatureIndex, _ name: String, _ db: Database) throws -> FeatureRecord {
        let what = "the record of feature \(feature) in \(name)"
        let data = try Data.fetchOne(
            db, sql: "SELECT data FROM feature_record WHERE id = ?", arguments: [index.id << 32 | Int64(feature)])
        guard let data else { throw Frame.damage(what) }
        let record = try Frame.decoded(data, what) { bytes throws(ByteDamage) in try FeatureRecord(bytes) }
        // A whole record in another's place is damage as well.
        guard record.feature == feature else { throw Frame.damage(what) }
        return record
    }

    private static func fill(
        _ dashboard: inout FeatureDashboard, from index: FeatureIndex, _ dictionary: FeatureDictionary, _ db: Database
    ) throws {
        let record = try record(dashboard.feature, of: index, dictionary.name, db)
        var texts = IndexedTexts(index.id, dictionary.name, db)
        let words = try String.fetchOne(
            db, sql: "SELECT words FROM feature_stat WHERE index_id = ? AND feature = ?",
            arguments: [index.id, dashboard.feature])
        dashboard.words = words.flatMap { $0.isEmpty ? nil : $0 }
        dashboard.tokens = index.counted
        dashboard.count = record.count
        dashboard.density = index.counted > 0 ? Double(record.count) / Double(index.counted) : 0
        dashboard.maximum = record.maximum
        dashboard.mean = record.count > 0 ? Float(record.total / Double(record.count)) : 0
        dashboard.histogram = FeatureHistogram(counts: record.histogram, maximum: record.maximum)
        dashboard.top = try record.top.map { try texts.example($0) }
        let parts = record.groups.count
        let bins = parts > 0 ? record.histogram.count / parts : 0
        for (number, examples) in record.groups.enumerated() {
            let part = parts - 1 - number
            let count = record.histogram[part * bins..<(part + 1) * bins].reduce(0, +)
            let width = record.maximum / Float(parts)
            dashboard.groups.append(
                QuantileGroup(
                    range: Float(part) * width..<Float(part + 1) * width, count: count,
                    share: Double(count) / Double(max(1, record.count)),
                    examples: try examples.map { try texts.example($0) }))
        }
        dashboard.positive = record.positive
        dashboard.negative = record.negative
        dashboard.correlated = try related(record.correlated, dictionary.id, db)
        dashboard.neighbors = try related(record.neighbors, dictionary.id, db)
    }

    private static func related(_ numbers: [RelatedNumber], _ id: Int64, _ db: Database) throws -> [RelatedFeature] {
        try numbers.map {
            RelatedFeature(
                feature: $0.feature, value: $0.value, label: try labels(of: id, feature: $0.feature, db).first?.text)
        }
    }
}
