import KernelLab
import System
import Testing

@Suite("A person's own kernel")
struct OwnKernelTests {
    static let saxpy = """
        reference = "saxpy_reference"
        flops = "2 * n"
        bytes = "12 * n"

        [sizes]
        n = 1000

        [[argument]]
        name = "n"
        role = "size"

        [[argument]]
        name = "x"
        role = "input"
        count = "n"

        [[argument]]
        name = "y"
        role = "both"
        count = "n"
        """

    @Test("a kernel is described by a TOML file next to its C file")
    func described() throws {
        let kernel = try OwnKernel(toml: Self.saxpy, path: "kernels/saxpy.toml")
        #expect(kernel.source == "kernels/saxpy.c")
        #expect(kernel.function == "saxpy")
        #expect(kernel.reference == "saxpy_reference")
        #expect(kernel.compiler == "cc")
        #expect(kernel.arguments.map(\.name) == ["n", "x", "y"])
        #expect(kernel.arguments.map(\.type) == [.i64, .f32, .f32])
        #expect(kernel.flops.value(["n": 1000]) == 2000)
    }

    @Test(
        "that is described wrongly is answered with file, place and remedy",
        arguments: [
            (
                "flops = \"2 * n\"", "flops = \"2 * m\"",
                "saxpy.toml: `flops` uses `m`, which is not under [sizes]."
            ),
            ("flops = \"2 * n\"\n", "", "saxpy.toml: missing `flops`. Add a formula of the sizes, such as \"2 * n\"."),
            (
                "role = \"both\"", "role = \"input\"",
                "saxpy.toml: no argument has role \"output\" or \"both\". At least one is needed for the check."
            ),
            (
                "role = \"input\"", "role = \"in\"",
                "saxpy.toml: argument x: `role` must be one of size, input, output, both."
            ),
            ("n = 1000", "n = -4", "saxpy.toml: the size `n` must be an integer above 0."),
            ("n = 1000", "k = 1000", "saxpy.toml: argument n is a size without a value. Add it under [sizes]."),
            (
                "reference = \"saxpy_reference\"", "reference = \"a; b\"",
                "saxpy.toml: a; b is not a valid C function name."
            ),
        ])
    func wrong(part: String, replacement: String, sentence: String) throws {
        let text = Self.saxpy.replacing(part, with: replacement, maxReplacements: 1)
        #expect(throws: Problem.self) { try OwnKernel(toml: text, path: "saxpy.toml") }
        do { _ = try OwnKernel(toml: text, path: "saxpy.toml") } catch { #expect(error.sentence == sentence) }
    }

    @Test("with an unknown key, a broken file or no file is refused in a sentence")
    func refused() {
        func sentence(_ toml: String) -> String {
            do { return try OwnKernel(toml: toml, path: "a.toml").function } catch { return error.sentence }
        }
        #expect(
            sentence("flop = 3\n" + Self.saxpy).hasPrefix("a.toml: unknown key `flop`. Available: argument, bytes")
        )
        #expect(sentence("flops = ").hasPrefix("a.toml, line 1: invalid TOML"))
        #expect(throws: Problem.self) { try OwnKernel(contentsOf: "/nowhere/saxpy.c") }
    }
}
