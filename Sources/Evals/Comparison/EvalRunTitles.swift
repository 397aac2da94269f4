public import EvalLogs

/// Titles of runs in lists and comparisons, which distinguish runs of the same name.
///
/// A name that only one run has is its title. If several runs share a name, the number precedes it, by which commands
/// find the run too: `#12 reading`. A log of another program has no number in the workspace and is numbered among the
/// listed logs: `log 2 reading`.
public struct EvalRunTitles: Hashable, Sendable {
    private let titles: [Int64: String]

    /// - Parameter runs: Names by number; logs of other programs have negative numbers, starting at -1.
    public init(_ runs: [(id: Int64, name: String)]) {
        let counts = Dictionary(runs.map { ($0.name, 1) }, uniquingKeysWith: +)
        titles = Dictionary(
            runs.map { run -> (Int64, String) in
                guard counts[run.name, default: 0] > 1 else { return (run.id, run.name) }
                return (run.id, (run.id < 0 ? "log \(-run.id) " : "#\(run.id) ") + run.name)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The title of a run; `nil` for an unknown run.
    public subscript(id: Int64) -> String? { titles[id] }

    /// Returns the titles of compared runs, in order.
    public static func titles(of runs: [EvalRun]) -> [String] {
        let named = runs.enumerated().map { place, run in
            (id: run.path == nil ? Int64(run.key) ?? -Int64(place + 1) : -Int64(place + 1), name: run.name)
        }
        let titles = EvalRunTitles(named)
        return named.map { titles[$0.id] ?? $0.name }
    }
}
