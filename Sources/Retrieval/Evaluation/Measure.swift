/// A number for how good a ranking is, between 0 and 1; higher is better.
///
/// ```swift
/// Measure("nDCG@10") == .nDCG(at: 10)
/// Measure("P(rel=2)@5")?.name                         // "P(rel=2)@5"
/// ```
public struct Measure: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, CaseIterable, Sendable {
        /// Normalized discounted cumulative gain: Σ gain(r) / log2(r + 1), over that of the best order.
        ///
        /// Source: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; the discount of Burges et al., ICML 2005, with the
        /// grade itself as gain, as `trec_eval` has it.
        case nDCG
        /// nDCG with 2^grade − 1 as gain: Burges et al., ICML 2005.
        case exponentialNDCG = "nDCG-exp"
        /// One over the rank of the first relevant one.
        case reciprocalRank = "RR"
        /// The share of the relevant ones that was found.
        case recall = "R"
        /// The share of the k first places that hold relevant ones; places that nothing fills count.
        case precision = "P"
        /// The mean, over all relevant ones, of the precision at the place where each was found.
        case averagePrecision = "AP"
        /// 1 if a relevant document was found, 0 otherwise.
        case success = "Success"
    }

    public var kind: Kind
    /// Number of ranks to consider (default: all).
    public var cutoff: Int?
    /// The lowest grade that is called relevant. The gains of nDCG do not ask.
    public var minimumGrade: Int

    public init(_ kind: Kind, at cutoff: Int? = nil, minimumGrade: Int = 1) {
        self.kind = kind
        self.cutoff = cutoff.map { max(1, $0) }
        self.minimumGrade = minimumGrade
    }

    public static func nDCG(at cutoff: Int? = nil) -> Self { Self(.nDCG, at: cutoff) }
    public static func reciprocalRank(at cutoff: Int? = nil) -> Self { Self(.reciprocalRank, at: cutoff) }
    public static func recall(at cutoff: Int) -> Self { Self(.recall, at: cutoff) }
    public static func precision(at cutoff: Int) -> Self { Self(.precision, at: cutoff) }
    public static func averagePrecision(at cutoff: Int? = nil) -> Self { Self(.averagePrecision, at: cutoff) }
    public static func success(at cutoff: Int) -> Self { Self(.success, at: cutoff) }

    /// Measures that `corpus evaluate` shows by default.
    public static let usual: [Self] = [
        .nDCG(at: 10), .reciprocalRank(at: 10), .recall(at: 10), .recall(at: 100), .precision(at: 5),
        .averagePrecision(),
    ]

    /// Reads `nDCG@10`, `MRR`, `recall@100`, `P(rel=2)@5` in the names that people use; `nil` for anything else.
    public init?(_ name: String) {
        var rest = name[...]
        var cutoff: Int?
        if let at = rest.lastIndex(of: "@") {
            guard let number = Int(rest[rest.index(after: at)...]), number > 0, number <= 1_000_000 else { return nil }
            cutoff = number
            rest = rest[..<at]
        }
        var grade = 1
        if rest.last == ")", let open = rest.firstIndex(of: "(") {
            let inside = rest[rest.index(after: open)...].dropLast()
            guard inside.hasPrefix("rel="), let number = Int(inside.dropFirst(4)), abs(number) < 1_000 else {
                return nil
            }
            grade = number
            rest = rest[..<open]
        }
        guard let kind = Self.names[rest.lowercased()] else { return nil }
        if [.precision, .success].contains(kind), cutoff == nil { return nil }
        self.init(kind, at: cutoff, minimumGrade: grade)
    }

    private static let names: [String: Kind] = [
        "ndcg": .nDCG, "ndcg-exp": .exponentialNDCG, "rr": .reciprocalRank, "mrr": .reciprocalRank, "r": .recall,
        "recall": .recall, "p": .precision, "precision": .precision, "ap": .averagePrecision,
        "map": .averagePrecision, "success": .success,
    ]

    /// `nDCG@10`, `R(rel=2)@100`.
    public var name: String {
        kind.rawValue + (minimumGrade == 1 ? "" : "(rel=\(minimumGrade))") + (cutoff.map { "@\($0)" } ?? "")
    }

    public var description: String { name }
}
