internal import Foundation
internal import GRDB
internal import Interpretability
internal import JSON
internal import System
internal import Workspace

/// What came of a file of Neuronpedia.
public struct NeuronpediaReport: Hashable, Sendable {
    /// Records that were read.
    public var records = 0
    /// Features of which something was said.
    public var features = 0
    /// Labels that were kept.
    public var labels = 0
    /// Examples that were kept.
    public var examples = 0
}

extension FeatureStore {
    /// Examples of a feature that an import keeps: the largest.
    private static let importedExamples = 20

    /// Reads labels and dashboards of features from Neuronpedia's JSON: one feature, an array, JSON lines, or an object
    /// with `features`, `explanations` or `activations`, also gzipped.
    ///
    /// What an earlier import said of the same features is replaced; a person's own labels stay. All of the file is
    /// kept or nothing.
    ///
    /// - Throws: `Problem` with the line if a record is invalid or names an unknown feature.
    @discardableResult
    public func importNeuronpedia(_ path: String, into id: Int64) throws -> NeuronpediaReport {
        let dictionary = try dictionary(id)
        var found: [Int: ImportedFeature] = [:]
        var labels: [Int: [FeatureLabel]] = [:]
        var report = NeuronpediaReport()
        let source = try JSONSource(path)
        while try source.next({ node, line in
            for node in Self.records(in: node) {
                let record = try Self.record(node, line, path)
                guard (0..<dictionary.featureCount).contains(record.index) else {
                    throw Problem(
                        .invalid, path, "line \(line): feature \(record.index) is not in \(dictionary.name)",
                        remedy: "The dictionary has features 0 to \(dictionary.featureCount - 1).")
                }
                report.records += 1
                found[record.index, default: ImportedFeature(feature: record.index)].add(
                    record, keeping: Self.importedExamples)
                labels[record.index, default: []] += record.explanations.map {
                    FeatureLabel(feature: record.index, text: $0.text, source: .imported($0.source))
                }
            }
        }) {}
        guard report.records > 0 else {
            throw Problem(.missing, path, "the file has no records", remedy: "Use a file exported by Neuronpedia.")
        }
        try write(found, labels, of: id)
        report.features = found.count
        report.labels = labels.values.reduce(0) { $0 + $1.count }
        report.examples = found.values.reduce(0) { $0 + $1.examples.count }
        return report
    }

    private func write(_ found: [Int: ImportedFeature], _ labels: [Int: [FeatureLabel]], of id: Int64) throws {
        try workspace.bulkWrite { db in
            _ = try Self.dictionary(id, db)
            let compressor = try Compressor()
            for (feature, imported) in found.sorted(by: { $0.key < $1.key }) {
                if let labels = labels[feature], !labels.isEmpty {
                    try db.execute(
                        sql: "DELETE FROM feature_label WHERE dictionary = ? AND feature = ? AND source != ''",
                        arguments: [id, feature])
                    for (number, label) in labels.enumerated() { try Self.write(label, of: id, number, db) }
                }
                if imported == ImportedFeature(feature: feature) { continue }
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO feature_import (dictionary, feature, maximum, density, data)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        id, feature, Double(imported.maximum), imported.density,
                        try Frame.packed(imported.bytes, compressor),
                    ])
            }
        }
    }

    // An object without an index holds lists of records.
    private static func records(in node: JSONNode) -> [JSONNode] {
        guard node.kind == .object, node["index"] == nil else { return [node] }
        let lists = [node["features"], node["explanations"], node["activations"]].compactMap { $0 }
        return lists.isEmpty ? [node] : lists.flatMap { Array($0.elements) }
    }

    private static func record(_ node: JSONNode, _ line: Int, _ path: String) throws -> NeuronpediaRecord {
        do {
            return try NeuronpediaRecord(node)
        } catch {
            throw Problem(
                .invalid, path, "line \(line): the record \(error.what)",
                remedy: "Nothing was imported. Export the file from Neuronpedia again.")
        }
    }
}

extension ImportedFeature {
    /// Adds what a record says, with the largest examples.
    fileprivate mutating func add(_ record: NeuronpediaRecord, keeping limit: Int) {
        if let value = record.maximum { maximum = value }
        if let value = record.density { density = value }
        if !record.positive.isEmpty { positive = record.positive }
        if !record.negative.isEmpty { negative = record.negative }
        if !record.histogram.isEmpty { histogram = record.histogram }
        if record.examples.isEmpty { return }
        examples += record.examples
        examples.sort { ($0.values.max() ?? 0) > ($1.values.max() ?? 0) }
        examples = Array(examples.prefix(limit))
        maximum = max(maximum, examples.first?.values.max() ?? 0)
    }
}
