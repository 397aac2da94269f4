internal import LanguageModels

extension Jinja {
    typealias Test = @Sendable (Value, Arguments, Evaluator) throws(ChatTemplateError) -> Bool

    /// All tests by their names.
    static let tests: [String: Test] = {
        var all = kindTests.merging(propertyTests) { first, _ in first }
        let comparisons: [(Expression.Comparison, [String])] = [
            (.equal, ["==", "eq", "equalto"]), (.notEqual, ["!=", "ne"]), (.greater, [">", "gt", "greaterthan"]),
            (.greaterOrEqual, [">=", "ge"]), (.less, ["<", "lt", "lessthan"]), (.lessOrEqual, ["<=", "le"]),
            (.contained, ["in"]),
        ]
        for (comparison, names) in comparisons {
            for name in names { all[name] = test(name, comparison) }
        }
        return all
    }()

    /// A test that compares with its argument.
    private static func test(_ name: String, _ comparison: Expression.Comparison) -> Test {
        { value, arguments, evaluator throws(ChatTemplateError) in
            let other = try arguments.bind(name, ["other"], required: 1)[0]!
            return try evaluator.compares(value, comparison, other)
        }
    }

    /// A test of what a value is.
    private static func kind(_ name: String, _ condition: @escaping @Sendable (Value) -> Bool) -> (String, Test) {
        (
            name,
            { value, arguments, _ throws(ChatTemplateError) in
                try arguments.none(name)
                return condition(value)
            }
        )
    }

    private static let kindTests = [String: Test](
        uniqueKeysWithValues: [
            kind("defined") { !$0.isUndefined },
            kind("undefined") { $0.isUndefined },
            kind("none") { $0.isNone },
            kind("boolean") { $0.typeName == "boolean" },
            kind("true") { if case .boolean(true) = $0.content { true } else { false } },
            kind("false") { if case .boolean(false) = $0.content { true } else { false } },
            kind("integer") { $0.typeName == "integer" },
            kind("float") { $0.typeName == "float" },
            kind("number") { $0.double != nil },
            kind("string") { $0.text != nil },
            kind("mapping") { $0.typeName == "dictionary" },
            kind("sequence") { $0.isSubscriptable || $0.isUndefined || $0.typeName == "group" },
            kind("iterable") { value in
                switch value.content {
                case .undefined, .text, .list, .tuple, .dictionary, .view, .iterator: true
                case .object(let object): object is LoopContext || object is Group
                default: false
                }
            },
            kind("callable") { if case .object(let object) = $0.content { object.isCallable } else { false } },
            kind("escaped") { $0.text?.isMarkup == true },
        ])

    private static let propertyTests: [String: Test] = [
        "odd": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("odd")
            return try evaluator.arithmetic(.remainder, value, .integer(2)) == .integer(1)
        },
        "even": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("even")
            return try evaluator.arithmetic(.remainder, value, .integer(2)) == .integer(0)
        },
        "divisibleby": { value, arguments, evaluator throws(ChatTemplateError) in
            let divisor = try arguments.bind("divisibleby", ["num"], required: 1)[0]!
            return try evaluator.arithmetic(.remainder, value, divisor) == .integer(0)
        },
        "lower": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("lower")
            return try evaluator.printed(value).isCased(upper: false)
        },
        "upper": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("upper")
            return try evaluator.printed(value).isCased(upper: true)
        },
        "sameas": { value, arguments, _ throws(ChatTemplateError) in
            isSame(value, try arguments.bind("sameas", ["other"], required: 1)[0]!)
        },
        "filter": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("filter")
            return value.text.map { filters[$0.string] != nil } ?? false
        },
        "test": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("test")
            return value.text.map { tests[$0.string] != nil } ?? false
        },
    ]

    /// Python's `is`: containers and objects by identity, small things by kind and value.
    private static func isSame(_ left: Value, _ right: Value) -> Bool {
        switch (left.content, right.content) {
        case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)): left === right
        case (.dictionary(let left), .dictionary(let right)): left === right
        case (.view(let left), .view(let right)): left === right
        default: left.typeName == right.typeName && left == right
        }
    }
}
