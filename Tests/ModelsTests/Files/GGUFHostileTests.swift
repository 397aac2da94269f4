import Models
import TestFixtures
import Testing

/// Files that lie, and the sentence that each gets.
@Suite("Hostile GGUF files")
struct GGUFHostileTests {
    struct Trap: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        /// The sentence after the file's name.
        var answer: String
        var testDescription: String { name }

        init(_ name: String, _ answer: String, _ change: (inout GGUFBytes) -> Void) {
            var file = GGUFBytes()
            change(&file)
            self.name = name
            self.answer = answer
            bytes = file.bytes
        }
    }

    private static let again = "Copy or download the file again, or write it again with a current converter."
    private static let short = "Copy or download the file again: it is not whole."

    private static let key32 = String(repeating: "k", count: 32)

    static let traps: [Trap] = [
        Trap("another format", "byte 0: this is no GGUF file: it does not begin with GGUF. Name a GGUF file.") {
            $0.magic = Array("GGML".utf8)
        },
        Trap(
            "version 1",
            "byte 4: the file says GGUF version 1. Convert the model again: version 1 counted with 32 bits and was given up in 2023."
        ) { $0.version = 1 },
        Trap(
            "a later version",
            "byte 4: the file says GGUF version 9. Versions 2 and 3 are read here; check for a newer Orrery."
        ) { $0.version = 9 },
        Trap(
            "big-endian",
            "byte 4: the file is big-endian. Convert it to little-endian with gguf-convert-endian of package gguf."
        ) { $0.version = 3 << 24 },
        Trap(
            "tensors near 2^63",
            "byte 8: the number of tensors is \(UInt64(1) << 63), and the rest of the file has no room for that. \(again)"
        ) { $0.tensorCount = 1 << 63 },
        Trap(
            "entries near 2^64",
            "byte 16: the number of metadata entries is \(UInt64.max), and the rest of the file has no room for that. \(again)"
        ) { $0.entryCount = .max },
        Trap(
            "an entry that stops after its key",
            "byte 64: the file ends inside the type of the value of \(key32). \(short)"
        ) {
            $0.entries = [GGUFBytes.string(key32)]
        },
        Trap(
            "a key longer than the file",
            "byte 24: the length of the key of metadata entry 0 is \(UInt64(1) << 62), and the rest of the file has no room for that. \(again)"
        ) { $0.entries = [GGUFBytes.little(UInt64(1) << 62) + [UInt8](repeating: 65, count: 40)] },
        Trap("a key of 70,000 bytes", "byte 24: the key of metadata entry 0 is 70000 bytes long. \(again)") {
            $0.entries = [GGUFBytes.entry(String(repeating: "k", count: 70_000), 4, GGUFBytes.little(UInt32(1)))]
        },
        Trap("a key twice", "byte 41: the key a appears twice. \(again)") {
            $0.entries = Array(repeating: GGUFBytes.entry("a", 4, GGUFBytes.little(UInt32(1))), count: 2)
        },
        Trap("a type that is none", "byte 33: the value of a has type 13, and types go from 0 to 12. \(again)") {
            $0.entries = [GGUFBytes.entry("a", 13, GGUFBytes.little(UInt64(1)))]
        },
        Trap("an array of arrays", "byte 37: a is an array of arrays, which no model uses. \(again)") {
            $0.entries = [GGUFBytes.array("a", 9, count: 1, GGUFBytes.little(UInt32(0)) + GGUFBytes.little(UInt64(0)))]
        },
        Trap(
            "an array of 2^60 numbers",
            "byte 41: the number of elements of a is \(UInt64(1) << 60), and the rest of the file has no room for that. \(again)"
        ) { $0.entries = [GGUFBytes.array("a", 4, count: 1 << 60, GGUFBytes.little(UInt32(0)))] },
        Trap(
            "a string of an array longer than the file",
            "byte 49: the length of element 0 of a is \(UInt64.max), and the rest of the file has no room for that. \(again)"
        ) { $0.entries = [GGUFBytes.array("a", 8, count: 1, GGUFBytes.little(UInt64.max))] },
        Trap("alignment 0", "byte 53: general.alignment is no power of two. \(again)") { $0.alignment = 0 },
        Trap("alignment 48", "byte 53: general.alignment is no power of two. \(again)") { $0.alignment = 48 },
        Trap("a name of 65 bytes", "byte 24: the name of tensor 0 is 65 bytes long, and 64 are allowed. \(again)") {
            $0.tensors = [GGUFBytes.tensor(String(repeating: "n", count: 65), [1])]
        },
        Trap("a name twice", "byte 57: two tensors are named t. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1]), GGUFBytes.tensor("t", [1], offset: 32)]
            $0.data = [UInt8](repeating: 0, count: 64)
        },
        Trap("five axes", "byte 33: t has 5 axes, and 4 are allowed. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1, 1, 1, 1, 1])]
        },
        Trap("2^32 axes", "byte 33: t has 4294967295 axes, and 4 are allowed. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1], rank: .max)]
        },
        Trap("a size beyond counting", "byte 37: t has \(UInt64.max) as a size, more than can be counted. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [.max])]
        },
        Trap(
            "sizes whose product overflows",
            "byte 45: t has \(UInt64(1) << 40) as a size, more than can be counted. \(again)"
        ) { $0.tensors = [GGUFBytes.tensor("t", [1 << 40, 1 << 40])] },
        Trap(
            "an overflow behind a zero",
            "byte 53: t has \(UInt64(1) << 40) as a size, more than can be counted. \(again)"
        ) { $0.tensors = [GGUFBytes.tensor("t", [0, 1 << 40, 1 << 40])] },
        Trap("bytes that overflow", "byte 45: t is larger than can be counted. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1 << 62])]
        },
        Trap(
            "a type that was removed",
            "byte 45: t has type 31, which was removed from the format. Quantize the model again from its original weights."
        ) { $0.tensors = [GGUFBytes.tensor("t", [32], type: 31)] },
        Trap(
            "a type of tomorrow",
            "byte 45: t has type 99, which is not known here. Quantize the model to another type."
        ) { $0.tensors = [GGUFBytes.tensor("t", [32], type: 99)] },
        Trap("rows of half a block", "byte 45: rows of t have 48 elements, and Q4_0 takes 32 at a time. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [48], type: 2)]
        },
        Trap("an offset between", "byte 49: t lies at 8, which is no multiple of the alignment 32. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1], offset: 8)]
        },
        Trap(
            "an offset near 2^63",
            "byte 49: t lies at \(UInt64(1) << 63), which is no multiple of the alignment 32. \(again)"
        ) { $0.tensors = [GGUFBytes.tensor("t", [1], offset: 1 << 63)] },
        Trap("data past the end", "byte 96: the file ends before t, which ends at byte 104. \(short)") {
            $0.tensors = [GGUFBytes.tensor("t", [10])]
            $0.data = [UInt8](repeating: 0, count: 32)
        },
        Trap("data over other data", "byte 128: u overlaps t. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [16]), GGUFBytes.tensor("u", [4], offset: 32)]
            $0.data = [UInt8](repeating: 0, count: 64)
        },
        Trap("a name that steers the terminal", "byte 61: two tensors are named \u{FFFD}[31m. \(again)") {
            $0.tensors = [GGUFBytes.tensor("\u{1B}[31m", [1]), GGUFBytes.tensor("\u{1B}[31m", [1])]
        },
    ]

    @Test("are answered with the place and the remedy", arguments: traps)
    func answered(trap: Trap) {
        let folder = TemporaryFolder()
        let path = folder.file("trap.gguf")
        File.write(trap.bytes, to: path)
        #expect(sentence { _ = try GGUFFile(path) } == "\(path), \(trap.answer)")
    }

    @Test("that end anywhere are refused")
    func truncated() throws {
        let whole = try #require(File.bytes("\(FileGoldens.folder)/values.gguf"))
        let folder = TemporaryFolder()
        let path = folder.file("short.gguf")
        // The last tensor ends 8 bytes of padding before the file does.
        let needed =
            try GGUFFile("\(FileGoldens.folder)/values.gguf").tensors.map { $0.offset + $0.byteCount }.max() ?? 0
        for length in stride(from: 0, to: needed, by: 37) {
            File.write(Array(whole[..<length]), to: path)
            #expect(throws: ModelError.self, "\(length) bytes") { try GGUFFile(path) }
        }
    }

    @Test("with a type that cannot be multiplied are listed, and say so when they are asked for weights")
    func unmultipliable() throws {
        let checkpoint = try Checkpoints.open("\(FileGoldens.folder)/values.gguf")
        #expect(checkpoint.shape(of: "t.Q5_0") == [4, 64])
        let answer = sentence { _ = try checkpoint.matrix("t.Q5_0", rows: 4, columns: 64) }
        #expect(answer.contains("t.Q5_0 is Q5_0, which cannot be multiplied yet. Take a model of F32"))
    }
}
