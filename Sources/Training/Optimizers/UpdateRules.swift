/// The update rules that a training configuration can name in `optimizer.kind`.
///
/// A table is a value: programs use ``standard``, and tests and extensions add rules to a copy.
///
/// ```swift
/// let configuration = try TrainingConfiguration(contentsOf: "tiny.toml", rules: .standard.adding(.signSGD))
/// ```
public struct UpdateRules: Sendable {
    /// Rules in the order in which help and errors list them.
    public let all: [UpdateRule]

    /// Every rule in this module.
    public static let standard = UpdateRules([
        .sgd,
        .adam,
        .adamW,
        .lion,
        .muon,
    ])

    /// Creates a table of one or more rules with different names.
    public init(_ all: [UpdateRule]) {
        precondition(!all.isEmpty, "a table of update rules needs at least one rule")
        self.all = all
    }

    /// The rule of configurations that name none: AdamW, or the first rule of a table without it.
    var defaultRule: UpdateRule { self[UpdateRule.adamW.name] ?? all[0] }

    /// Returns the table with a rule added at the end, or moved there if it replaces a rule of the same name.
    public func adding(_ rule: UpdateRule) -> UpdateRules { UpdateRules(all.filter { $0 != rule } + [rule]) }

    /// The rule with a name; `nil` if the table has none.
    public subscript(name: String) -> UpdateRule? { all.first { $0.name == name } }

    /// Returns the help of a hyperparameter and the rules that have it: `adam, adamw: decay of the first moment`.
    ///
    /// The rules are omitted if all have the hyperparameter with the same help.
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
