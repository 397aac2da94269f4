public import LanguageModels

/// Computes an expression exactly.
///
/// Operators `+ - * / % ^` and parentheses, unary minus, decimals, and the functions `sqrt`, `abs`, `min`, `max`,
/// `round`. `^` binds tightest and to the right, `-2^2` is -4; `%` has the sign of the divisor. Values are fractions,
/// so that `0.1 + 0.2` is 0.3, and doubles only where a root or power is irrational. What comes out is an integer plainly,
/// or a decimal with at most six digits after the point, rounded half away from zero. O(characters), at most 1000.
public struct Calculator: Tool {
    public init() {}

    public var definition: ToolDefinition {
        ToolDefinition(
            name: "calculator",
            description: "Evaluates an arithmetic expression with + - * / % ^ ( ), sqrt, abs, min, max, round.",
            parameters: Self.schema)
    }

    private static let schema = """
        {"type":"object","properties":{"expression":{"type":"string","description":"for example 12 * (7 + 5)"}},\
        "required":["expression"],"additionalProperties":false}
        """

    public func call(_ arguments: ToolArguments, isCancelled: () -> Bool) throws(ToolError) -> String {
        try Self.text(of: arguments.string("expression"))
    }

    /// The value of an expression as the tool prints it.
    public static func text(of expression: String) throws(ToolError) -> String {
        try Expression.value(of: expression).text
    }
}
