/// Update rules that configurations can name.
///
/// ```swift
/// let configuration = try TrainingConfiguration(contentsOf: "tiny.toml", rules: .standard.adding(.signSGD))
/// ```
public struct UpdateRules: Sendable {
    public private(set) var all: [UpdateRule]

    public static let standard = UpdateRules([
        .sgd,
        .adam,
        .adamW,
        .lion,
        .muon,
    ])

    public init(_ all: [UpdateRule]) { self.all = all }

    /// Returns a table with one more rule; a rule of the same name is replaced.
    public func adding(_ rule: UpdateRule) -> UpdateRules { UpdateRules(all.filter { $0 != rule } + [rule]) }

    public subscript(name: String) -> UpdateRule? { all.first { $0.name == name } }

    /// Returns the help of a hyperparameter, with the rules that have it: `adam, adamw: decay of the first moment`.
    func help(of hyperparameter: String) -> String {
        var groups: [(help: String, rules: [String])] = []
        for rule in all {
            var own = rule.hyperparameters
            if case .only(_, let peakRate, _) = rule.scope { own.append(peakRate) }
            guard let help = own.first(where: { $0.name == hyperparameter })?.help else { continue }
            if let place = groups.firstIndex(where: { $0.help == help }) {
                groups[place].rules.append(rule.name)
            } else {
                groups.append((help, [rule.name]))
            }
        }
        if let only = groups.first, only.rules.count == all.count { return only.help }
        return groups.map { "\($0.rules.joined(separator: ", ")): \($0.help)" }.joined(separator: "; ")
    }
}
