import Glibc
import JSON
import TestFixtures
import Testing

/// Small commands of `orrery train`, whose output other programs read.
@Suite("orrery train gradient, ladder, and data, and orrery-bench train compare")
struct TrainingToolTests {
    private let program: Program

    init() throws { program = try Program() }

    private func numbers(_ node: JSONNode?) -> [Double] { node?.elements.map { $0.double ?? .nan } ?? [] }

    @Test("gradient differentiates by every name and checks inputs with differences")
    func gradient() throws {
        let lines = "c = a + b; d = a * b + b^3; e = c * d"
        let result = try program.run("train", "gradient", lines, "--let", "a=-4", "--let", "b=2", "--json")
        #expect(result.status == 0, "\(result.error)")
        let document = try JSONDocument(parsing: result.output)
        document.withRoot { root in
            let rows = root["results"]?.elements.map { $0 } ?? []
            #expect(rows.map { $0["name"]?.string } == ["a", "b", "c", "d", "e"])
            #expect(rows.map { $0["value"]?.double } == [-4, 2, -2, 0, 0])
            // de/da = d + c b, de/db = d + c (a + 3 b²).
            #expect(rows.map { $0["gradient"]?.double } == [-4, -16, 0, -2, 1])
            for row in rows.prefix(2) {
                let difference = (row["gradient"]?.double ?? .nan) - (row["numeric_gradient"]?.double ?? .nan)
                #expect(abs(difference) < 1e-6)
            }
            #expect(rows.suffix(3).allSatisfy { $0["numeric_gradient"] == nil })
        }
        let read = try program.run(["train", "gradient", "-", "--let", "x=3"], input: "y = x^2\nz = y * x\n")
        #expect(read.output.split(separator: "\n").first?.contains("dz/dname") == true, "\(read.error)")
        #expect(read.output.contains("27.0000"))
    }

    @Test("four implementations of a classifier train with equal loss curves")
    func ladder() throws {
        let sizes = ["--steps", "4", "--inputs", "24", "--hidden", "16", "--batch", "8"]
        let result = try program.run(["train", "ladder", "--json"] + sizes)
        #expect(result.status == 0, "\(result.error)")
        let document = try JSONDocument(parsing: result.output)
        let (names, curves) = document.withRoot { root in
            let ways = root["ways"]?.elements.map { $0 } ?? []
            for way in ways { #expect(way["steps_per_second"]?.double ?? 0 > 0) }
            #expect(root["worst_difference"]?.double ?? 1 < 1e-5)
            return (ways.map { $0["name"]?.string ?? "" }, ways.map { numbers($0["losses"]) })
        }
        #expect(names == ["textbook", "tensors", "kernels", "autograd"])
        for curve in curves {
            #expect(curve.count == 4)
            for (a, b) in zip(curve, curves[0]) { #expect(abs(a - b) < 1e-5 * b) }
        }
        let table = try program.run(["train", "ladder"] + sizes)
        #expect(table.output.split(separator: "\n").count == 5)
        #expect(table.error.contains("largest loss difference"))
    }

    @Test(
        "compare runs a job from a file of weights and data and writes gradients",
        .enabled(if: Program.bench != nil, "orrery-bench is not built next to orrery"))
    func compare() throws {
        let program = Program(path: try #require(Program.bench))
        var random = Words()
        func tensor(_ shape: [Int], _ bound: Float) -> [Float] {
            (0..<shape.reduce(1, *)).map { _ in bound * random.next() }
        }
        let file = program.home.file("mlp.safetensors")
        // A batch whose first ten numbers encode the label.
        var examples = tensor([128, 784], 0.5)
        let labels = (0..<128).map { Int32($0 * 7 % 10) }
        for (row, label) in labels.enumerated() { examples[row * 784 + Int(label)] += 3 }
        File.write(
            Self.safetensors([
                ("x", "F32", [128, 784], bytes(examples)), ("y", "I32", [128], bytes(labels)),
                ("w1", "F32", [256, 784], bytes(tensor([256, 784], 0.05))),
                ("b1", "F32", [256], bytes(tensor([256], 0.05))),
                ("w2", "F32", [10, 256], bytes(tensor([10, 256], 0.1))), ("b2", "F32", [10], bytes(tensor([10], 0.1))),
            ]), to: file)
        let result = try program.run("train", "compare", "mlp", file, "--steps", "6", "--warm-up", "2")
        #expect(result.status == 0, "\(result.error)")
        let losses = try JSONDocument(parsing: result.output).withRoot { root in
            #expect(root["seconds"]?.count == 6)
            #expect(root["flops_per_step"]?.double ?? 0 > 1e8)
            #expect(root["threads"]?.int ?? 0 >= 1)
            return numbers(root["losses"])
        }
        #expect(losses.count == 8)
        #expect(losses[0] > 1.5 && losses[7] < losses[0] - 0.5, "\(losses)")

        let gradients = program.home.file("gradients.safetensors")
        #expect(try program.run("train", "compare", "mlp", file, "--gradients", gradients).status == 0)
        let header = try #require(File.bytes(gradients)).dropFirst(8).prefix(600)
        for name in ["w1", "b1", "w2", "b2"] {
            #expect(String(decoding: header, as: UTF8.self).contains("\"\(name)\""))
        }
    }

    @Test("data generates a corpus of the requested size, reproducibly")
    func data() throws {
        let recipe = Program.root + "/sample-data/training/orrery-mini.toml"
        let made = try program.run("train", "data", recipe, "one", "--tokens", "10000", "--json")
        #expect(made.status == 0, "\(made.error)")
        let documents = try JSONDocument(parsing: made.output).withRoot { root in
            #expect(root["name"]?.string == "orrery-mini")
            #expect((9_000...10_000).contains(root["tokens"]?.int ?? 0))
            #expect(root["removed"]?["held out"]?.int == 0)
            return root["documents"]?.int ?? 0
        }
        #expect(documents > 50)
        let files = [
            "card.json", "card.md", "sample.txt", "tokenizer.json", "train.tokens", "train.weights",
            "validation.tokens",
            "validation.weights",
        ]
        #expect(TemporaryFolder.names(in: program.home.file("one")) == files)
        // Two bytes per token, one byte per weight, rows of 512.
        let (tokens, weights) = (
            try #require(File.bytes(program.home.file("one/train.tokens"))),
            try #require(File.bytes(program.home.file("one/train.weights")))
        )
        #expect(tokens.count == 2 * weights.count && weights.count % 512 == 0)

        #expect(try program.run("train", "data", recipe, "two", "--tokens", "10000").status == 0)
        for name in files {
            #expect(
                File.bytes(program.home.file("one/" + name)) == File.bytes(program.home.file("two/" + name)), "\(name)")
        }
        let again = try program.run("train", "data", recipe, "two", "--tokens", "10000")
        #expect(again.status == 1)
        #expect(again.error.contains("already contains a corpus"))
    }

    @Test(
        "invalid input is reported in one sentence",
        arguments: [
            (["gradient", "c = a + ", "--let", "a=1"], "expected a number, found the end of the program"),
            (["gradient", "c = a + 1", "--let", "a"], "--let \"a\" is not an input"),
            (["gradient", "c = b + 1", "--let", "a=1"], "b"),
            (["data", "none.toml", "out"], "none.toml"),
        ])
    func wrongUse(arguments: [String], sentence: String) throws {
        try expect(sentence, from: program.run(["train"] + arguments))
    }

    @Test(
        "invalid input of compare is reported in one sentence",
        .enabled(if: Program.bench != nil, "orrery-bench is not built next to orrery"),
        arguments: [
            ("transformer", "unknown job \"transformer\". Use one of gpt, mlp, conv"), ("mlp", "none.safetensors"),
        ])
    func wrongComparison(job: String, sentence: String) throws {
        let program = Program(path: try #require(Program.bench))
        try expect(sentence, from: program.run("train", "compare", job, "none.safetensors"))
    }

    /// Expects a failure that one sentence on standard error explains.
    private func expect(_ sentence: String, from result: Program.Result) {
        #expect(result.status == 1, "\(result.error)")
        #expect(result.output.isEmpty)
        #expect(result.sentences.count == 1 && result.error.hasPrefix("orrery: "), "\(result.error)")
        #expect(result.error.contains(sentence), "\(result.error)")
    }

    private func bytes(_ values: [some BitwiseCopyable]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }

    /// Returns a file of tensors: header length, header, and numbers.
    private static func safetensors(_ tensors: [(name: String, type: String, shape: [Int], bytes: [UInt8])]) -> [UInt8]
    {
        var (entries, data): ([String], [UInt8]) = ([], [])
        for tensor in tensors {
            let range = "[\(data.count),\(data.count + tensor.bytes.count)]"
            entries.append(
                #""\#(tensor.name)":{"dtype":"\#(tensor.type)","shape":\#(tensor.shape),"data_offsets":\#(range)}"#)
            data += tensor.bytes
        }
        var header = Array("{\(entries.joined(separator: ","))}".utf8)
        while header.count % 8 != 0 { header.append(32) }
        return withUnsafeBytes(of: UInt64(header.count).littleEndian) { Array($0) } + header + data
    }
}

/// Reproducible numbers in [-1, 1).
private struct Words {
    private var state: UInt64 = 1

    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / 0x1p23 - 1
    }
}
