/// Pairs of curves: one on training data, and the same figure on held-out data.
enum CurvePairs {
    private static let held: Set<String> = ["validation", "valid", "val", "eval", "evaluation", "test", "dev"]
    private static let learned: Set<String> = ["train", "training"]

    /// Returns the held-out curve of each training curve: `validation/loss` for `train/loss`, `eval_loss` for `loss`.
    static func companions(in names: [String]) -> [String: String] {
        var trained: [[String]: String] = [:]
        for name in names where held.isDisjoint(with: words(name)) {
            // If both `loss` and `train/loss` exist, `train/loss` is the training curve.
            if trained[figure(name)] == nil || !learned.isDisjoint(with: words(name)) { trained[figure(name)] = name }
        }
        var companions: [String: String] = [:]
        for name in names where !held.isDisjoint(with: words(name)) {
            guard let partner = trained[figure(name)], companions[partner] == nil else { continue }
            companions[partner] = name
        }
        return companions
    }

    /// Returns the title of both curves, such as `Loss`.
    static func title(_ name: String) -> String {
        let title = figure(name).joined(separator: " ")
        return title.prefix(1).uppercased() + title.dropFirst()
    }

    /// Returns `train` or `validation`, as spelled in the name; the whole name if it has neither.
    static func side(_ name: String) -> String {
        words(name).first { held.contains($0) || learned.contains($0) } ?? name
    }

    private static func words(_ name: String) -> [String] {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func figure(_ name: String) -> [String] {
        words(name).filter { !held.contains($0) && !learned.contains($0) }
    }
}
