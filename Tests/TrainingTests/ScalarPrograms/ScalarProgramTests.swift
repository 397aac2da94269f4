import System
import Testing
import Training

@Suite("Arithmetic that is differentiated")
struct ScalarProgramTests {
    /// The example in the README of micrograd; the numbers are finite differences of it.
    static let micrograd = """
        c = a + b
        d = a * b + b^3
        c += c + 1
        c += 1 + c - a
        d += d * 2 + relu(b + a)
        d += 3 * d + relu(b - a)
        e = c - d
        f = e^2
        g = f / 2
        g += 10 / f
        """

    @Test("micrograd's example")
    func example() throws {
        let results = try ScalarProgram(Self.micrograd).run(["a": -4, "b": 2])
        func result(_ name: String) throws -> ScalarProgram.Result {
            try #require(results.first { $0.name == name })
        }
        #expect(abs(try result("g").value - 24.7041) < 5e-5)
        #expect(abs(try result("a").gradient - 138.8338) < 5e-5)
        #expect(abs(try result("b").gradient - 645.5773) < 5e-5)
        #expect(try result("g").gradient == 1)
        for name in ["a", "b"] {
            let result = try result(name)
            #expect(abs(try #require(result.numericGradient) - result.gradient) < 1e-4)
        }
    }

    @Test(
        "what is written is what is computed",
        arguments: [
            ("y = 2 + 3 * 4", 14), ("y = -2^2", -4), ("y = 2^-1", 0.5), ("y = (1 + 2) * -3", -9), ("y = 8 / 2 / 2", 2),
            ("y = 5 - 2 - 1", 2), ("y = 1.5e2", 150), ("x = 2; y = x; y *= x; # a comment", 4),
            ("\n\n y = relu(-1) + exp(0) \n", 1),
            ("y = sqrt(16) + log(1) + sin(0) + cos(0) + tanh(0) + sigmoid(0)", 5.5),
        ])
    func values(text: String, value: Double) throws {
        #expect(try ScalarProgram(text).run([]).last?.value == value)
    }

    @Test(
        "what cannot be read is said with its place",
        arguments: [
            (
                "",
                "character 1: the program has no assignment. Example: c = a + b."
            ), ("c", "character 2: expected = after c."),
            ("c = ", "character 5: expected a number, found the end of the program."),
            ("c = (1 + 2", "character 5: unclosed parenthesis."),
            ("c = 1 2", "character 7: unexpected 2."), ("c = x ^ y", "character 9: the exponent must be a number."),
            (
                "c = sinh(1)",
                "character 5: unknown function sinh. Available: cos, exp, log, relu, sigmoid, sin, sqrt, tanh."
            ),
        ])
    func sentences(text: String, sentence: String) {
        #expect { try ScalarProgram(text) } throws: { ($0 as? Problem)?.sentence == sentence }
    }

    @Test("a name without a value is named")
    func missing() throws {
        let program = try ScalarProgram("c = a + b")
        #expect { try program.run(["a": 1]) } throws: {
            ($0 as? Problem)?.sentence == "b at character 9 has no value. Assign it first."
        }
    }

    @Test("deep nesting is refused, long programs are run")
    func depth() throws {
        #expect(throws: Problem.self) {
            try ScalarProgram("y = " + String(repeating: "(", count: 10_000) + "1")
        }
        let long = "y = x\n" + String(repeating: "y += x\n", count: 5_000)
        #expect(try ScalarProgram(long).run(["x": 1]).first { $0.name == "x" }?.gradient == 5_001)
    }
}
