import Agents
import Testing

@Suite("The calculator")
struct CalculatorTests {
    /// What it prints, an error as the model reads it.
    static func answer(_ expression: String) -> String {
        do throws(ToolError) { return try Calculator.text(of: expression) } catch { return "error: " + error.sentence }
    }

    @Test(
        "computes exactly, and prints integers plainly",
        arguments: [
            ("12 * 7", "84"), ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 - 10", "-3"), ("2 ^ 10", "1024"),
            ("2 ^ 3 ^ 2", "512"), ("-2 ^ 2", "-4"), ("2 ^ -1", "0.5"), ("(-2) ^ 3", "-8"), ("--3", "3"), ("-0", "0"),
            ("7 % 3", "1"), ("-7 % 3", "2"), ("7 % -3", "-2"), ("5.5 % 2", "1.5"), ("10 / 4", "2.5"), ("8 / 2", "4"),
            ("0.1 + 0.2", "0.3"), ("1 / 3 * 3", "1"), (".5 + 1.", "1.5"), ("1e3 + 1E-1", "1000.1"),
            ("9223372036854775807", "9223372036854775807"), ("-9223372036854775807 - 1", "-9223372036854775808"),
            ("9223372036854775806 + 1", "9223372036854775807"), ("3037000499 ^ 2", "9223372030926249001"),
            ("12 × 7 ÷ 2 − 1", "41"), ("  3\t+\n4 ", "7"), ("0 ^ 0", "1"), ("1e-40 * 0", "0"),
        ])
    func values(expression: String, text: String) { #expect(Self.answer(expression) == text) }

    @Test(
        "rounds decimals half away from zero to six digits",
        arguments: [
            ("1 / 3", "0.333333"), ("-2 / 3", "-0.666667"), ("1 / 128", "0.007813"), ("-1 / 128", "-0.007813"),
            ("1 / 3000000", "0"), ("-1 / 3000000", "0"), ("1 / 2000000", "0.000001"),
            ("2 / 3 + 1000000", "1000000.666667"),
            ("sqrt(2)", "1.414214"), ("2 ^ 0.5", "1.414214"), ("1.1 ^ 100", "13780.612340"), ("0.5 ^ 5000", "0"),
            ("9223372036854775806 + 0.5", "9223372036854775806.5"),
        ])
    func decimals(expression: String, text: String) {
        var text = text
        while text.contains("."), text.hasSuffix("0") { text.removeLast() }
        #expect(Self.answer(expression) == text)
    }

    @Test(
        "knows functions",
        arguments: [
            ("sqrt(144)", "12"), ("sqrt(2.25)", "1.5"), ("sqrt(0)", "0"), ("abs(-3.5)", "3.5"), ("min(3, 1, 2)", "1"),
            ("max(1/3, 0.3333)", "0.333333"), ("round(2.5)", "3"), ("round(-2.5)", "-3"), ("round(2.345, 2)", "2.35"),
            ("ROUND(sqrt(2), 3)", "1.414"), ("max(min(4, 5), 2) * abs(-1)", "4"), ("sqrt(4) ^ 2", "4"),
            ("sqrt(9223372030926249001)", "3037000499"),
        ])
    func functions(expression: String, text: String) { #expect(Self.answer(expression) == text) }

    @Test(
        "says what is wrong, and where",
        arguments: [
            ("", "the expression is empty"), ("  ", "the expression is empty"),
            ("12 / 0", "division by zero at character 4"), ("5 % (2 - 2)", "division by zero at character 3"),
            ("0 ^ -1", "division by zero at character 3"),
            ("12 *", "the expression ends at character 5 where a number is expected"),
            ("12 *  ", "the expression ends at character 5 where a number is expected"),
            ("2 & 3", "unexpected \"&\" at character 3"), ("2 3", "unexpected \"3\" at character 3"),
            ("2(3)", "unexpected \"(\" at character 2"), ("1 + 2)", "unexpected \")\" at character 6"),
            ("x + 1", "unexpected \"x\" at character 1"), ("1 + pears", "unexpected \"pears\" at character 5"),
            ("* 3", "unexpected \"*\" at character 1"), ("1..2", "unexpected \".\" at character 3"),
            (".", "unexpected \".\" at character 1"), ("1,000", "unexpected \",\" at character 2"),
            ("(1 + 2", "the parenthesis at character 1 is not closed"),
            ("2 * (3 + (4)", "the parenthesis at character 5 is not closed"),
            ("foo(2)", "unknown function \"foo\" at character 1; functions: sqrt, abs, min, max, round"),
            ("1 + sqrt 4", "sqrt needs its argument in parentheses at character 9"),
            ("sqrt(1, 2)", "sqrt takes 1 argument, not 2, at character 1"),
            ("min()", "min takes 1 argument or more, not 0, at character 1"),
            ("round(1, 2, 3)", "round takes 1 or 2 arguments, not 3, at character 1"),
            ("round(1, 7)", "round takes 0 to 6 digits at character 1"),
            ("sqrt(-4)", "square root of a negative number at character 1"),
            ("(-8) ^ 0.5", "a negative base needs an integer exponent, at character 6"),
            ("9223372036854775807 + 1", "the result is too large at character 21; \(exact)"),
            ("-9223372036854775808 - 1", "the result is too large at character 2; \(exact)"),
            ("2 ^ 63", "the result is too large at character 3; \(exact)"),
            ("2 ^ 99999999999", "the result is too large at character 3; \(exact)"),
            ("1 + 99999999999999999999", "the result is too large at character 5; \(exact)"),
            ("1e400", "the result is too large at character 1; \(exact)"),
        ])
    func errors(expression: String, sentence: String) { #expect(Self.answer(expression) == "error: " + sentence) }

    static let exact = "integers are exact up to 9223372036854775807"

    @Test("long and deep expressions are refused")
    func bounds() {
        #expect(Self.answer(String(repeating: "1+", count: 500) + "1").contains("more than 1000 characters"))
        #expect(Self.answer(String(repeating: "e\u{301}", count: 100_000)).contains("more than 1000 characters"))
        #expect(Self.answer(String(repeating: "(", count: 900)).contains("nested deeper than 100"))
        #expect(Self.answer(String(repeating: "2^", count: 400) + "1").contains("nested deeper than 100"))
        #expect(Self.answer(String(repeating: "-", count: 998) + "1") == "1")
        #expect(Self.answer(String(repeating: "(", count: 99) + "1" + String(repeating: ")", count: 99)) == "1")
    }

    @Test("a hundred thousand random texts give a value or a sentence, in bounded time")
    func random() {
        var random = SplitMix(seed: 7)
        let pieces = [
            "1", "2", "0", "9", ".", "e", "E", "-", "+", "*", "/", "%", "^", "(", ")", ",", " ", "sqrt", "abs", "min(",
            "max(", "round(", "1e18", "9223372036854775807", "0.000001", "x", "é", "\u{0}", "👩‍👩‍👧", "𝟛", "٣", "\n",
        ]
        let clock = ContinuousClock()
        var longest = Duration.zero
        var values = 0
        for _ in 0..<100_000 {
            let length = random.below(24)
            let text = (0..<length).map { _ in pieces[random.below(pieces.count)] }.joined()
            let start = clock.now
            let answer = Self.answer(text)
            longest = max(longest, clock.now - start)
            #expect(!answer.isEmpty && answer.utf8.count < 200)
            if !answer.hasPrefix("error") { values += 1 }
        }
        #expect(values > 1000, "some of them are expressions")
        #expect(longest < .seconds(10), "a pause of a busy machine is not a hang")
    }

    @Test("agrees with an evaluator of another build on random expressions")
    func agreement() throws {
        var random = SplitMix(seed: 11)
        var compared = 0
        for _ in 0..<20_000 {
            let tree = RandomExpression(&random, depth: 4)
            guard let wanted = tree.value, wanted.isFinite, abs(wanted) < 1e9 else { continue }
            let text = Self.answer(tree.text)
            let got = try #require(Double(text), "\(tree.text) gave \(text), wanted \(wanted)")
            #expect(abs(got - wanted) <= 6e-7 + abs(wanted) * 1e-9, "\(tree.text)")
            compared += 1
        }
        #expect(compared > 10_000)
    }
}

/// A tree of operations that knows its value in doubles and its text: no parsing is involved.
struct RandomExpression {
    var text: String
    /// `nil` if there is no value, or if doubles and fractions may differ.
    var value: Double?
    private var binding: Int

    init(_ random: inout SplitMix, depth: Int) {
        guard depth > 0, random.below(5) > 0 else {
            let hundredths = random.below(4000)
            if random.below(3) == 0 {
                text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
                value = Double(hundredths) / 100
            } else {
                text = String(hundredths)
                value = Double(hundredths)
            }
            binding = 9
            return
        }
        let left = RandomExpression(&random, depth: depth - 1)
        switch random.below(8) {
        case 0:
            text = "-" + left.enclosed(below: 3)
            value = left.value.map { -$0 }
            binding = 3
        case 1:
            text = "abs(\(left.text))"
            value = left.value.map { abs($0) }
            binding = 9
        case 2:
            let right = RandomExpression(&random, depth: depth - 1)
            text = "max(\(left.text), \(right.text))"
            value = left.value.flatMap { one in right.value.map { max(one, $0) } }
            binding = 9
        case 3:
            let power = random.below(4)
            text = left.enclosed(below: 5) + "^\(power)"
            value = left.value.map { base in (0..<power).reduce(1) { product, _ in product * base } }
            binding = 4
        case 4:
            let right = RandomExpression(&random, depth: depth - 1)
            text = "\(left.enclosed(below: 2)) / \(right.enclosed(below: 3))"
            value = left.value.flatMap { one in right.value.flatMap { abs($0) < 1e-3 ? nil : one / $0 } }
            binding = 2
        case 5:
            let right = RandomExpression(&random, depth: depth - 1)
            text = "\(left.enclosed(below: 2)) * \(right.enclosed(below: 3))"
            value = left.value.flatMap { one in right.value.map { one * $0 } }
            binding = 2
        case let operation:
            let right = RandomExpression(&random, depth: depth - 1)
            let isSum = operation == 6
            text = "\(left.enclosed(below: 1)) \(isSum ? "+" : "-") \(right.enclosed(below: 2))"
            value = left.value.flatMap { one in right.value.map { isSum ? one + $0 : one - $0 } }
            binding = 1
        }
        // Differences of large numbers lose digits that fractions keep.
        if let known = value, abs(known) > 1e9 { value = nil }
    }

    private func enclosed(below least: Int) -> String { binding < least ? "(\(text))" : text }
}

/// Random numbers that are the same everywhere (SplitMix64).
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
