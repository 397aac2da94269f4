internal import Glibc

/// A ranking of which every place is judged: what measures are computed from.
///
/// With gold documents, a place has the grade of its document. With gold spans, a place is credited with the spans that
/// no earlier place has touched; a passage that touches only spans that were found before is relevant, but finds
/// nothing.
public struct GradedRanking: Equatable, Sendable {
    /// One place of the ranking.
    public struct Place: Equatable, Sendable {
        /// The best grade at this place.
        public var grade: Int
        /// The grades of what is found here for the first time.
        public var found: [Int]

        public init(grade: Int, found: [Int]) {
            self.grade = grade
            self.found = found
        }
    }

    /// Best first.
    public var places: [Place]
    /// The grades of everything that could be found.
    public var gold: [Int]

    public init(places: [Place], gold: [Int]) {
        self.places = places
        self.gold = gold.sorted(by: >)
    }

    /// Documents against the judgments of a query.
    public init(_ documents: [String], judged: [String: Int]) {
        self.init(
            places: documents.map { document in
                let grade = judged[document] ?? 0
                return Place(grade: grade, found: grade > 0 ? [grade] : [])
            }, gold: judged.values.filter { $0 > 0 })
    }

    /// Returns the value of a measure; 0 if nothing is relevant. O(places + gold).
    public func value(of measure: Measure) -> Double {
        let seen = places.prefix(measure.cutoff ?? places.count)
        let isRelevant: (Int) -> Bool = { $0 >= measure.minimumGrade }
        let relevant = gold.count(where: isRelevant)
        switch measure.kind {
        case .nDCG: return gainRatio(seen, measure.cutoff) { Double($0) }
        case .exponentialNDCG: return gainRatio(seen, measure.cutoff) { exp2(Double($0)) - 1 }
        case .reciprocalRank:
            return seen.firstIndex { isRelevant($0.grade) }.map { 1 / Double($0 + 1) } ?? 0
        case .recall:
            guard relevant > 0 else { return 0 }
            return Double(seen.reduce(0) { $0 + $1.found.count(where: isRelevant) }) / Double(relevant)
        case .precision:
            let depth = measure.cutoff ?? places.count
            return depth == 0 ? 0 : Double(seen.count { isRelevant($0.grade) }) / Double(depth)
        case .averagePrecision:
            guard relevant > 0 else { return 0 }
            var found = 0
            var sum = 0.0
            for (index, place) in seen.enumerated() {
                let new = place.found.count(where: isRelevant)
                found += new
                sum += Double(new) * min(1, Double(found) / Double(index + 1))
            }
            return sum / Double(relevant)
        case .success: return seen.contains { isRelevant($0.grade) } ? 1 : 0
        }
    }

    /// Returns the discounted gain divided by the gain of the best order, at most 1 even if a passage contains several
    /// spans.
    private func gainRatio(_ seen: ArraySlice<Place>, _ cutoff: Int?, gain: (Int) -> Double) -> Double {
        var sum = 0.0
        for (index, place) in seen.enumerated() {
            for grade in place.found { sum += gain(grade) / log2(Double(index + 2)) }
        }
        var best = 0.0
        for (index, grade) in gold.prefix(cutoff ?? gold.count).enumerated() {
            best += gain(grade) / log2(Double(index + 2))
        }
        return best > 0 ? min(1, sum / best) : 0
    }
}
