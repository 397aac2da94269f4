internal import Foundation
internal import GRDB

/// What lists show of all features of a dictionary: a few numbers and a label each. 16,384 features are read in a few
/// milliseconds.
struct FeatureCatalog {
    private let dictionary: FeatureDictionary
    private var counts: [Int?]
    private var densities: [Double?]
    private var maxima: [Double?]
    private var labels: [Int: String] = [:]
    private var words: [String?]
    private var clarities: [Double]

    init(_ dictionary: FeatureDictionary, _ db: Database) throws {
        self.dictionary = dictionary
        let features = dictionary.featureCount
        counts = [Int?](repeating: nil, count: features)
        densities = [Double?](repeating: nil, count: features)
        maxima = densities
        words = [String?](repeating: nil, count: features)
        clarities = [Double](repeating: 0, count: features)
        if let index = dictionary.index {
            let tokens = Double(max(1, index.counted))
            let rows = try Row.fetchCursor(
                db, sql: "SELECT feature, count, maximum, words, clarity FROM feature_stat WHERE index_id = ?",
                arguments: [index.id])
            while let row = try rows.next() {
                let feature: Int = row[0]
                guard (0..<features).contains(feature) else { continue }
                let count: Int = row[1]
                counts[feature] = count
                densities[feature] = Double(count) / tokens
                maxima[feature] = row[2]
                let text: String = row[3]
                words[feature] = text.isEmpty ? nil : text
                clarities[feature] = row[4]
            }
        } else {
            let rows = try Row.fetchCursor(
                db, sql: "SELECT feature, density, maximum FROM feature_import WHERE dictionary = ?",
                arguments: [dictionary.id])
            while let row = try rows.next() {
                let feature: Int = row[0]
                guard (0..<features).contains(feature) else { continue }
                densities[feature] = row[1]
                maxima[feature] = row[2]
            }
        }
        // Own labels, whose source is empty, come last and so stay.
        let rows = try Row.fetchCursor(
            db, sql: "SELECT feature, text FROM feature_label WHERE dictionary = ? ORDER BY source DESC, number DESC",
            arguments: [dictionary.id])
        while let row = try rows.next() { labels[row[0]] = row[1] }
    }

    func maximum(_ feature: Int) -> Double? { maxima[feature] }

    /// The density, as if every feature had been active on one token more of one token more: above 0, at most 1.
    func smoothedDensity(_ feature: Int) -> Double {
        let tokens = Double(dictionary.index?.counted ?? 0)
        return ((densities[feature] ?? 0) * tokens + 1) / (tokens + 1)
    }

    func rows(_ features: some Sequence<Int>) -> [FeatureRow] {
        features.map {
            FeatureRow(
                feature: $0, count: counts[$0], density: densities[$0], maximum: maxima[$0], label: labels[$0],
                words: words[$0])
        }
    }

    func sorted(by order: FeatureOrder, descending: Bool) -> [Int] {
        let features = Array(0..<dictionary.featureCount)
        switch order {
        case .meaning:
            let order = features.sorted { meaning(of: $0) < meaning(of: $1) }
            return descending ? order.reversed() : order
        case .feature: return descending ? features.reversed() : features
        case .density: return Self.sorted(features, descending) { densities[$0] }
        case .maximum: return Self.sorted(features, descending) { maxima[$0] }
        case .label: return Self.sorted(features, descending) { labels[$0] }
        }
    }

    // Smaller values sort first: labeled features, then those that fire, then the rest. Among features that fire, those
    // whose firing carries the most information (in bits, if their words are known) come first.
    private func meaning(of feature: Int) -> (Int, Double, Int) {
        let rank = labels[feature] != nil ? 0 : (densities[feature] ?? 0) > 0 ? 1 : 2
        return (rank, clarities[feature] * log2(smoothedDensity(feature)), feature)
    }

    // Of equal ones the smaller number; those without a value come last either way.
    private static func sorted<Value: Comparable>(
        _ features: [Int], _ descending: Bool, _ value: (Int) -> Value?
    ) -> [Int] {
        let known = features.compactMap { feature in value(feature).map { (feature, $0) } }
            .sorted { a, b in
                if a.1 == b.1 { return a.0 < b.0 }
                return descending ? b.1 < a.1 : a.1 < b.1
            }
        return known.map(\.0) + features.filter { value($0) == nil }
    }
}
