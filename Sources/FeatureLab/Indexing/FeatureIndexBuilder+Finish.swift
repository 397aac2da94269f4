internal import Bytes
internal import Foundation
internal import GRDB
internal import Interpretability
internal import System
public import Tensors
public import Tokenizers
internal import Workspace

extension FeatureIndexBuilder {
    /// Related features that a dashboard lists.
    private static let relatedCount = 10

    /// Makes the index whole and the dictionary's own, in place of an earlier one.
    ///
    /// - Parameters:
    ///   - decoder: `[F, d]`, for features of like directions; `nil` for none.
    ///   - logits: What features do to the logits; is called for ranges in ascending order. `nil` for none.
    ///   - words: Token texts, to describe what features fire on; `nil` for no description.
    /// - Throws: On any error the index stays unfinished and can be gone on with, by this builder as well.
    public func finish(
        decoder: Tensor<Float>? = nil, logits: FeatureLogitSource? = nil, text words: ((TokenID) -> String)? = nil
    ) throws -> FeatureIndex {
        if let decoder, decoder.shape != [dictionary.featureCount, dictionary.width] {
            throw Problem(
                .invalid, "the decoder of \(dictionary.name)",
                "shape is \(decoder.shape), expected [\(dictionary.featureCount), \(dictionary.width)]",
                remedy: "Use the decoder of the indexed dictionary.")
        }
        try checkpoint()
        let neighbors = try decoder.map { decoder in
            try SparseAutoencoder.neighbors(in: decoder, count: Self.relatedCount) { isCancelled }
                .map { $0.map { RelatedNumber(feature: $0.feature, value: $0.cosine) } }
        }
        var correlations = Correlations(sample, features: dictionary.featureCount)
        let effects = try logits.map(effects)
        // Rows of an incomplete index are never read, so they can be written in small transactions, which other writers
        // do not have to wait for. Rows left by a failed attempt are overwritten.
        try writeRest()
        var firings = TokenFirings()
        for first in stride(from: 0, to: dictionary.featureCount, by: Self.recordsPerWrite) {
            let range = first..<min(dictionary.featureCount, first + Self.recordsPerWrite)
            let records = try range.map { feature in
                try checkCancellation()
                var record = features.record(feature)
                record.correlated = correlations.best(of: feature, limit: Self.relatedCount)
                record.neighbors = neighbors?[feature] ?? []
                record.positive = effects?[feature].positive ?? []
                record.negative = effects?[feature].negative ?? []
                firings.append(record)
                return record
            }
            try write(records, words: try words.map { try self.words(of: records, $0) })
        }
        try write(&firings)
        return try complete()
    }

    // Features or tokens whose rows are written in one transaction.
    private static let recordsPerWrite = 512

    // The last tokens, which fill no row; the builder itself keeps them as they are.
    private func writeRest() throws {
        let compressor = try Compressor()
        var rest = text
        rest.close()
        let texts = try rest.full.map { ($0.number, try Frame.packed($0.text, compressor)) }
        try claiming { db in
            try Self.write(texts, of: index, db)
            try db.execute(sql: "DELETE FROM feature_token WHERE index_id = ?", arguments: [index])
        }
    }

    private func words(
        of records: [FeatureRecord], _ text: (TokenID) -> String
    ) throws -> [FiringWords?] {
        try store.workspace.read { db in
            var texts = IndexedTexts(index, dictionary.name, db)
            return try records.map { record in
                FiringWords(
                    try record.top.map { example in
                        let example = try texts.example(example)
                        return FiringWords.Example(texts: example.tokens.map(text), peak: example.peak)
                    })
            }
        }
    }

    private func write(_ records: [FeatureRecord], words: [FiringWords?]?) throws {
        let compressor = try Compressor()
        let frames = try records.map { try Frame.packed($0.bytes, compressor) }
        try claiming { db in
            let stat = try db.makeStatement(
                sql: """
                    INSERT OR REPLACE INTO feature_stat (index_id, feature, count, maximum, total, words, clarity)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """)
            let row = try db.makeStatement(sql: "INSERT OR REPLACE INTO feature_record (id, data) VALUES (?, ?)")
            for (place, (record, frame)) in zip(records, frames).enumerated() {
                let words = words?[place]
                try stat.execute(
                    arguments: [
                        index, record.feature, record.count, Double(record.maximum), record.total, words?.text ?? "",
                        words?.clarity ?? 0,
                    ])
                try row.execute(arguments: [index << 32 | Int64(record.feature), frame])
            }
        }
    }

    private func write(_ firings: inout TokenFirings) throws {
        let name = "the texts in \(dictionary.name)'s index"
        let byToken = try store.workspace.read { db in
            try firings.byToken { number in try TextBlock.read(number, of: index, name, db).tokens }
        }
        let compressor = try Compressor()
        let tokens = byToken.keys.sorted()
        for first in stride(from: 0, to: tokens.count, by: Self.recordsPerWrite) {
            try checkCancellation()
            let rows = try tokens[first..<min(tokens.count, first + Self.recordsPerWrite)].map { token in
                (token, try Frame.packed(TokenFirings.bytes(byToken[token] ?? []), compressor))
            }
            try claiming { db in
                let row = try db.makeStatement(
                    sql: "INSERT INTO feature_token (index_id, token, data) VALUES (?, ?, ?)")
                for (token, frame) in rows { try row.execute(arguments: [index, Int64(token), frame]) }
            }
        }
    }

    // Once this transaction ends, readers use this index; the index it replaces is removed afterwards.
    private func complete() throws -> FeatureIndex {
        try claiming(complete: true) { db in
            try db.execute(sql: "DELETE FROM feature_state WHERE index_id = ?", arguments: [index])
        }
        let older = try store.workspace.read { db in
            try Int64.fetchAll(
                db, sql: "SELECT id FROM feature_index WHERE dictionary = ? AND id < ?",
                arguments: [dictionary.id, index])
        }
        for index in older { try store.workspace.bulkWrite { db in try FeatureStore.removeIndex(index, db) } }
        return try store.workspace.read { db in
            guard let index = try FeatureStore.index(of: dictionary.id, db) else {
                throw Frame.damage("the index of \(dictionary.name)")
            }
            return index
        }
    }

    private func effects(_ source: FeatureLogitSource) throws -> [FeatureLogits] {
        var effects: [FeatureLogits] = []
        for first in stride(from: 0, to: dictionary.featureCount, by: 256) {
            try checkCancellation()
            let range = first..<min(dictionary.featureCount, first + 256)
            let some = try source(range)
            guard some.count == range.count else {
                throw Problem(
                    .failed, "the logits of \(dictionary.name)",
                    "returned for \(some.count) features instead of \(range.count)",
                    remedy: "Return the logits of each feature.")
            }
            effects += some
        }
        return effects
    }
}

extension TextBlock {
    /// A row of indexed tokens.
    static func read(_ number: Int, of index: Int64, _ name: String, _ db: Database) throws -> TextBlock {
        let data = try Data.fetchOne(
            db, sql: "SELECT data FROM feature_text WHERE index_id = ? AND number = ?", arguments: [index, number])
        guard let data else { throw Frame.damage(name) }
        return try Frame.decoded(data, name) { bytes throws(ByteDamage) in try TextBlock(bytes) }
    }
}
