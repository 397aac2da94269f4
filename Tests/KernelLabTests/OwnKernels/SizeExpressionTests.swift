import KernelLab
import System
import Testing

@Suite("Formulas over sizes")
struct SizeExpressionTests {
    @Test(
        "are read with the usual precedence",
        arguments: [
            ("2 * m * n * k", 60.0), ("m + n * k", 17), ("(m + n) * k", 25), ("m - n - 1", -2), ("2 ^ n ^ 2", 512),
            ("n ^ 2 ^ n", 6_561), ("100 / n / n", 100.0 / 9), ("1_000 + 1e3", 2_000), ("n", 3), ("0.5*m", 1),
        ])
    func value(formula: String, expected: Double) throws {
        let value = try SizeExpression(formula).value(["m": 2, "n": 3, "k": 5])
        #expect(abs(value - expected) < 1e-9)
    }

    @Test(
        "that cannot be read say why",
        arguments: [
            ("", "the formula is empty"), ("2 *", "the formula 2 * is incomplete"),
            ("(m", "unmatched \"(\" in the formula (m"), ("m n", "unexpected n in the formula m n"),
            ("m)", "unmatched \")\" in the formula m)"), ("1.2.3", "invalid number 1.2.3 in the formula 1.2.3"),
            ("m; rm", "unexpected ; in the formula m; rm"),
        ])
    func problem(formula: String, sentence: String) {
        #expect(throws: Problem.self) { try SizeExpression(formula) }
        do { _ = try SizeExpression(formula) } catch { #expect(error.what == sentence) }
    }

    @Test("name the sizes they speak of")
    func names() throws {
        #expect(try SizeExpression("2 * rows * columns + rows").names == ["rows", "columns"])
    }

    @Test("of any length stay bounded")
    func long() {
        let deep = String(repeating: "(", count: 100_000)
        #expect(throws: Problem.self) { try SizeExpression(deep) }
    }
}
