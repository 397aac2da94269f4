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

    private static let again = "Download the file again, or convert the model again with a current converter."
    private static let short = "The file is truncated. Copy or download it again."

    private static let key32 = String(repeating: "k", count: 32)

    static let traps: [Trap] = [
        Trap("another format", "byte 0: not a GGUF file: the magic number GGUF is missing. Use a GGUF file.") {
            $0.magic = Array("GGML".utf8)
        },
        Trap(
            "version 1",
            "byte 4: unsupported GGUF version 1. Convert the model again. Version 1 has 32-bit counts and has been obsolete since 2023."
        ) { $0.version = 1 },
        Trap(
            "a later version",
            "byte 4: unsupported GGUF version 9. This build reads versions 2 and 3. Check for a newer build."
        ) { $0.version = 9 },
        Trap(
            "big-endian",
            "byte 4: the file is big-endian. Convert it to little-endian with gguf-convert-endian from the package gguf."
        ) { $0.version = 3 << 24 },
        Trap(
            "tensors near 2^63",
            "byte 8: the number of tensors is \(UInt64(1) << 63), which exceeds the rest of the file. \(again)"
        ) { $0.tensorCount = 1 << 63 },
        Trap(
            "entries near 2^64",
            "byte 16: the number of metadata entries is \(UInt64.max), which exceeds the rest of the file. \(again)"
        ) { $0.entryCount = .max },
        Trap(
            "an entry that stops after its key",
            "byte 64: unexpected end of file in the type of the value of \(key32). \(short)"
        ) {
            $0.entries = [GGUFBytes.string(key32)]
        },
        Trap(
            "a key longer than the file",
            "byte 24: the length of the key of metadata entry 0 is \(UInt64(1) << 62), which exceeds the rest of the file. \(again)"
        ) { $0.entries = [GGUFBytes.little(UInt64(1) << 62) + [UInt8](repeating: 65, count: 40)] },
        Trap("a key of 70,000 bytes", "byte 24: the key of metadata entry 0 is 70000 bytes long. \(again)") {
            $0.entries = [GGUFBytes.entry(String(repeating: "k", count: 70_000), 4, GGUFBytes.little(UInt32(1)))]
        },
        Trap("a key twice", "byte 41: duplicate key a. \(again)") {
            $0.entries = Array(repeating: GGUFBytes.entry("a", 4, GGUFBytes.little(UInt32(1))), count: 2)
        },
        Trap("an unknown type", "byte 33: the value of a has unknown type 13; types are 0 to 12. \(again)") {
            $0.entries = [GGUFBytes.entry("a", 13, GGUFBytes.little(UInt64(1)))]
        },
        Trap("an array of arrays", "byte 37: a is an array of arrays, which is not supported. \(again)") {
            $0.entries = [GGUFBytes.array("a", 9, count: 1, GGUFBytes.little(UInt32(0)) + GGUFBytes.little(UInt64(0)))]
        },
        Trap(
            "an array of 2^60 numbers",
            "byte 41: the number of elements of a is \(UInt64(1) << 60), which exceeds the rest of the file. \(again)"
        ) { $0.entries = [GGUFBytes.array("a", 4, count: 1 << 60, GGUFBytes.little(UInt32(0)))] },
        Trap(
            "a string of an array longer than the file",
            "byte 49: the length of element 0 of a is \(UInt64.max), which exceeds the rest of the file. \(again)"
        ) { $0.entries = [GGUFBytes.array("a", 8, count: 1, GGUFBytes.little(UInt64.max))] },
        Trap("alignment 0", "byte 53: general.alignment must be a power of two. \(again)") { $0.alignment = 0 },
        Trap("alignment 48", "byte 53: general.alignment must be a power of two. \(again)") { $0.alignment = 48 },
        Trap("a name of 65 bytes", "byte 24: the name of tensor 0 is 65 bytes long; the limit is 64. \(again)") {
            $0.tensors = [GGUFBytes.tensor(String(repeating: "n", count: 65), [1])]
        },
        Trap("a name twice", "byte 57: duplicate tensor t. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1]), GGUFBytes.tensor("t", [1], offset: 32)]
            $0.data = [UInt8](repeating: 0, count: 64)
        },
        Trap("five axes", "byte 33: t has 5 axes; the limit is 4. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1, 1, 1, 1, 1])]
        },
        Trap("2^32 axes", "byte 33: t has 4294967295 axes; the limit is 4. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1], rank: .max)]
        },
        Trap("a size beyond counting", "byte 37: t has an axis of size \(UInt64.max), which is too large. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [.max])]
        },
        Trap(
            "sizes whose product overflows",
            "byte 45: t has an axis of size \(UInt64(1) << 40), which is too large. \(again)"
        ) { $0.tensors = [GGUFBytes.tensor("t", [1 << 40, 1 << 40])] },
        Trap(
            "an overflow behind a zero",
            "byte 53: t has an axis of size \(UInt64(1) << 40), which is too large. \(again)"
        ) { $0.tensors = [GGUFBytes.tensor("t", [0, 1 << 40, 1 << 40])] },
        Trap("bytes that overflow", "byte 45: t is too large. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1 << 62])]
        },
        Trap(
            "a type that was removed",
            "byte 45: t has type 31, which was removed from the format. Quantize the model again from its original weights."
        ) { $0.tensors = [GGUFBytes.tensor("t", [32], type: 31)] },
        Trap(
            "a type of tomorrow",
            "byte 45: t has unknown type 99. Quantize the model to a supported type."
        ) { $0.tensors = [GGUFBytes.tensor("t", [32], type: 99)] },
        Trap("rows of half a block", "byte 45: rows of t have 48 elements, but Q4_0 needs a multiple of 32. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [48], type: 2)]
        },
        Trap("an offset between", "byte 49: offset 8 of t is not a multiple of the alignment 32. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [1], offset: 8)]
        },
        Trap(
            "an offset near 2^63",
            "byte 49: offset \(UInt64(1) << 63) of t is not a multiple of the alignment 32. \(again)"
        ) { $0.tensors = [GGUFBytes.tensor("t", [1], offset: 1 << 63)] },
        Trap("data past the end", "byte 96: the file ends before t, which ends at byte 104. \(short)") {
            $0.tensors = [GGUFBytes.tensor("t", [10])]
            $0.data = [UInt8](repeating: 0, count: 32)
        },
        Trap("data over other data", "byte 128: u overlaps t. \(again)") {
            $0.tensors = [GGUFBytes.tensor("t", [16]), GGUFBytes.tensor("u", [4], offset: 32)]
            $0.data = [UInt8](repeating: 0, count: 64)
        },
        Trap("a name that steers the terminal", "byte 61: duplicate tensor \u{FFFD}[31m. \(again)") {
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

    @Test("files truncated at any byte are rejected")
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

    @Test("tensors of unsupported types are listed, and are errors when loaded")
    func unmultipliable() throws {
        let checkpoint = try Checkpoints.open("\(FileGoldens.folder)/values.gguf")
        #expect(checkpoint.shape(of: "t.Q5_0") == [4, 64])
        let answer = sentence { _ = try checkpoint.matrix("t.Q5_0", rows: 4, columns: 64) }
        #expect(answer.contains("t.Q5_0 is Q5_0, which is not supported. Use a model in F32"))
    }
}
