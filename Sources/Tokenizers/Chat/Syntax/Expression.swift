extension Jinja {
    /// An expression and where it stands.
    final class Expression: Sendable {
        indirect enum Kind: Sendable {
            case constant(Value)
            case name(String)
            case list([Expression])
            case tuple([Expression])
            case dictionary([(key: Expression, value: Expression)])
            case attribute(Expression, String)
            case item(Expression, Expression)
            /// `a[from:to:step]`.
            case slice(Expression, from: Expression?, to: Expression?, step: Expression?)
            case call(Expression, Call)
            case filter(Expression, String, Call)
            case test(Expression, String, Call)
            case not(Expression)
            case negative(Expression)
            case positive(Expression)
            case arithmetic(Arithmetic, Expression, Expression)
            /// `a ~ b ~ c`.
            case concatenation([Expression])
            /// `a < b <= c`: every neighbouring pair must compare.
            case comparison(Expression, [(Comparison, Expression)])
            case and(Expression, Expression)
            case or(Expression, Expression)
            /// `then if condition else otherwise`.
            case conditional(condition: Expression, then: Expression, otherwise: Expression?)
        }

        enum Arithmetic: Sendable { case add, subtract, multiply, divide, floorDivide, remainder, power }
        enum Comparison: Sendable {
            case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, contained, notContained
        }

        /// What stands in the parentheses of a call.
        struct Call: Sendable {
            var positional: [Expression] = []
            var named: [(name: String, value: Expression)] = []
            /// `*list` and `**dictionary`.
            var list: Expression?
            var dictionary: Expression?
        }

        let kind: Kind
        let place: Place
        /// Levels of expressions in it.
        let depth: Int

        init(_ kind: Kind, _ place: Place, depth: Int) {
            self.kind = kind
            self.place = place
            self.depth = depth
        }
    }

    /// What an assignment writes to.
    indirect enum Target: Sendable {
        case name(String)
        case attribute(of: String, String, Place)
        case tuple([Target], Place)
    }

    /// A macro's parameter.
    struct Parameter: Sendable {
        var name: String
        var standard: Expression?
    }

    /// The body of a macro or a call block.
    final class MacroBody: Sendable {
        let name: String
        let parameters: [Parameter]
        let body: [Statement]
        /// Which of `caller`, `varargs` and `kwargs` it mentions.
        let specials: Set<String>

        init(name: String, parameters: [Parameter], body: [Statement], specials: Set<String>) {
            self.name = name
            self.parameters = parameters
            self.body = body
            self.specials = specials
        }
    }

    /// `{% for target in sequence if condition recursive %}...{% else %}...{% endfor %}`.
    final class Loop: Sendable {
        let target: Target
        let sequence: Expression
        let condition: Expression?
        let isRecursive: Bool
        let body: [Statement]
        let otherwise: [Statement]

        init(
            target: Target, sequence: Expression, condition: Expression?, isRecursive: Bool, body: [Statement],
            otherwise: [Statement]
        ) {
            self.target = target
            self.sequence = sequence
            self.condition = condition
            self.isRecursive = isRecursive
            self.body = body
            self.otherwise = otherwise
        }
    }

    /// A statement, or what stands between statements.
    indirect enum Statement: Sendable {
        case text(Text)
        case output(Expression)
        case branch([(condition: Expression, body: [Statement])], otherwise: [Statement])
        case loop(Loop, Place)
        case set(Target, Expression)
        /// `{% set name | filter %}...{% endset %}`.
        case setBlock(Target, filters: [(name: String, call: Expression.Call, place: Place)], [Statement])
        case macro(MacroBody)
        case callBlock(Expression, MacroBody, Place)
        case filterBlock([(name: String, call: Expression.Call, place: Place)], [Statement])
        case with([(target: Target, value: Expression)], [Statement])
        /// `{% generation %}`: what the model wrote, for training; it renders as its body, with names of its own.
        case generation([Statement])
        case continueLoop
        case breakLoop
    }
}

extension Jinja.Target {
    /// The names that it gives values to.
    var names: [String] {
        switch self {
        case .name(let name): [name]
        case .attribute: []
        case .tuple(let targets, _): targets.flatMap(\.names)
        }
    }
}
