internal import Bytes
internal import Foundation
internal import GRDB
internal import Glibc
public import Interpretability
internal import System
public import Tokenizers
internal import Workspace

extension FeatureStore {
    /// The features of a dictionary in some order, also those of which nothing is known.
    ///
    /// Features without what they are ordered by come last. O(F).
    public func features(
        of id: Int64, by order: FeatureOrder = .density, descending: Bool = true, limit: Int = 1000, offset: Int = 0
    ) throws -> [FeatureRow] {
        try workspace.read { db in
            let catalog = try FeatureCatalog(try Self.dictionary(id, db), db)
            return catalog.rows(catalog.sorted(by: order, descending: descending).dropFirst(offset).prefix(limit))
        }
    }

    /// Returns a possible order for a list: without known activations, it sorts by label, or by number if there are no
    /// labels.
    public func possible(_ order: FeatureOrder, of id: Int64) throws -> FeatureOrder {
        guard order.needsFirings, try !knowsFirings(of: id) else { return order }
        return try featureCount(of: id, labeled: true) > 0 ? .label : .feature
    }

    /// The rank that features of a prompt can have: without an index, their activation alone is known.
    public func possible(_ rank: PromptRank, of id: Int64) throws -> PromptRank {
        try rank.needsFirings && !knowsFirings(of: id) ? .activation : rank
    }

    /// How many features a dictionary has, or how many of them have a label.
    public func featureCount(of id: Int64, labeled: Bool = false) throws -> Int {
        try workspace.read { db in
            let dictionary = try Self.dictionary(id, db)
            if !labeled { return dictionary.featureCount }
            return try Int.fetchOne(
                db, sql: "SELECT count(DISTINCT feature) FROM feature_label WHERE dictionary = ?", arguments: [id]) ?? 0
        }
    }

    /// Features that fire on a token in their top examples, strongest first.
    ///
    /// `score` is the share of all that a feature is active in its top examples that falls on these tokens, 0 ... 1.
    ///
    /// - Parameter tokens: IDs to search for; a word may have several.
    public func features(of id: Int64, firingOn tokens: [TokenID], limit: Int = 100) throws -> [FeatureRow] {
        try workspace.read { db in
            let dictionary = try Self.dictionary(id, db)
            guard let index = dictionary.index else { throw Self.unindexed(dictionary) }
            let name = "the token list in \(dictionary.name)'s index"
            var scores: [Int: Double] = [:]
            for token in Set(tokens) {
                let data = try Data.fetchOne(
                    db, sql: "SELECT data FROM feature_token WHERE index_id = ? AND token = ?",
                    arguments: [index.id, Int64(token)])
                guard let data else { continue }
                let found = try Frame.decoded(data, name) { bytes throws(ByteDamage) in
                    try TokenFirings.features(bytes)
                }
                for one in found where one.feature < dictionary.featureCount {
                    scores[one.feature, default: 0] += Double(one.value)
                }
            }
            return try Self.rows(scores.mapValues { ($0, nil) }, limit, dictionary, db)
        }
    }

    /// Features of whose labels one has all these words, whole or their beginnings; own labels first, then by number.
    public func features(of id: Int64, labeled text: String, limit: Int = 100) throws -> [FeatureRow] {
        let words = FoldedText(text).words
        return try workspace.read { db in
            let dictionary = try Self.dictionary(id, db)
            if words.isEmpty { return [] }
            let condition = words.map { _ in "folded LIKE ?" }.joined(separator: " AND ")
            let sql = """
                SELECT feature, min(source != '') AS foreign_label FROM feature_label
                WHERE dictionary = ? AND \(condition) GROUP BY feature ORDER BY foreign_label, feature LIMIT ?
                """
            var arguments: StatementArguments = [id]
            for word in words { arguments += ["% \(word)%"] }
            arguments += [limit]
            let found = try Int.fetchAll(db, sql: sql, arguments: arguments)
            return try FeatureCatalog(dictionary, db).rows(found.filter { (0..<dictionary.featureCount).contains($0) })
        }
    }

    /// Features that are active on a prompt.
    ///
    /// By share, those that never fired on the indexed texts come last, without a score: what they reach is beyond all
    /// that is known of them.
    ///
    /// - Parameter codes: A row for each token of the prompt.
    public func features(
        of id: Int64, activeIn codes: SparseCodes, by rank: PromptRank = .activation, limit: Int = 100
    ) throws -> [FeatureRow] {
        var peaks: [Int: (value: Double, position: Int)] = [:]
        for row in 0..<codes.rows {
            for (feature, value) in codes[row] where Double(value) > peaks[Int(feature)]?.value ?? 0 {
                peaks[Int(feature)] = (Double(value), row)
            }
        }
        return try workspace.read { db in
            let dictionary = try Self.dictionary(id, db)
            guard codes.width == dictionary.featureCount else {
                throw Problem(
                    .invalid, "prompt codes",
                    "the codes have \(codes.width) features, but \(dictionary.name) has \(dictionary.featureCount)",
                    remedy: "Encode the prompt with this dictionary.")
            }
            let catalog = try FeatureCatalog(dictionary, db)
            var scores: [Int: (Double, Int?)] = [:]
            // What never fired on the indexed texts has no share: it comes last, by activation.
            var beyond: [Int: (Double, Int?)] = [:]
            for (feature, peak) in peaks {
                switch rank {
                case .activation: scores[feature] = (peak.value, peak.position)
                case .share:
                    let most = catalog.maximum(feature) ?? 0
                    if most > 0 {
                        scores[feature] = (peak.value / most, peak.position)
                    } else {
                        beyond[feature] = (peak.value, peak.position)
                    }
                case .rarity:
                    scores[feature] = (peak.value * -log2(catalog.smoothedDensity(feature)), peak.position)
                }
            }
            let ranked = Self.best(scores, limit, catalog)
            return ranked
                + Self.best(beyond, max(0, limit - ranked.count), catalog).map { row in
                    var row = row
                    row.score = nil
                    return row
                }
        }
    }

    /// Returns whether activations of a dictionary's features are known, from this workspace or an import. Without
    /// them, densities, maxima, and derived values are unknown.
    public func knowsFirings(of id: Int64) throws -> Bool {
        try workspace.read { db in
            if try Self.dictionary(id, db).index != nil { return true }
            return try Int.fetchOne(
                db, sql: "SELECT 1 FROM feature_import WHERE dictionary = ? LIMIT 1", arguments: [id]) != nil
        }
    }

    static func unindexed(_ dictionary: FeatureDictionary) -> Problem {
        Problem(
            .unknown, "dictionary \(dictionary.name)", "no index, so its activations are unknown",
            remedy: "Build one with: orrery feature index \(dictionary.name) --texts FILE.")
    }

    private static func rows(
        _ scores: [Int: (Double, Int?)], _ limit: Int, _ dictionary: FeatureDictionary, _ db: Database
    ) throws -> [FeatureRow] {
        best(scores, limit, try FeatureCatalog(dictionary, db))
    }

    private static func best(
        _ scores: [Int: (Double, Int?)], _ limit: Int, _ catalog: FeatureCatalog
    ) -> [FeatureRow] {
        let order = scores.sorted { ($1.value.0, $0.key) < ($0.value.0, $1.key) }.prefix(limit)
        return zip(catalog.rows(order.map(\.key)), order).map { row, entry in
            var row = row
            row.score = entry.value.0
            row.position = entry.value.1
            return row
        }
    }
}
