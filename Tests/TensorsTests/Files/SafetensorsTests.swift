import Tensors
import TestFixtures
import Testing

@Suite("safetensors")
struct SafetensorsTests {
    private static let kinds = [
        "double": "f8", "single": "f4", "half": "f2", "brain": "bf16", "byte": "i1", "integer": "i4", "truth": "b1",
    ]

    @Test("tensors of every kind are read by name")
    func reading() throws {
        let file = try TensorFile.open(FileGoldens.safetensors("kinds"))
        #expect(file.format == .safetensors)
        #expect(file.metadata == ["format": "np \té"])
        for (name, kind) in Self.kinds {
            try expectFileGolden(try file.tensor(named: name), kind: kind, shape: [2, 3, 4])
        }
        try expectFileGolden(try file.tensor(named: "a/number"), kind: "f4", shape: [])
        try expectFileGolden(try file.tensor(named: "a/empty"), kind: "f4", shape: [0, 3])
        try expectFileGolden(try file.tensor(named: "a/vector"), kind: "f4", shape: [5])
        try expectFileGolden(try file.tensor(named: "quote \" é"), kind: "i1", shape: [3])
        #expect(try file.entry("brain").spelling == "BF16")
        #expect(try file.entry("brain").byteCount == 48)
    }

    @Test("an empty file of the reference implementation has no tensors") func nothing() throws {
        #expect(try TensorFile.open(FileGoldens.safetensors("none")).names == [])
    }

    @Test("what is written is, byte by byte, what the reference implementation writes", arguments: ["kinds", "none"])
    func writing(name: String) throws {
        let folder = TemporaryFolder()
        let file = try TensorFile.open(FileGoldens.safetensors(name))
        let tensors = try file.names.reversed().map { (name: $0, tensor: try file.tensor(named: $0)) }
        try TensorFile.write(tensors, metadata: file.metadata, to: folder.file("copy.safetensors"))
        #expect(File.bytes(folder.file("copy.safetensors")) == File.bytes(FileGoldens.safetensors(name)))
        #expect(folder.names == ["copy.safetensors"])
    }

    @Test("wide integers are read where they fit")
    func wide() throws {
        let file = try TensorFile.open(FileGoldens.safetensors("wide"))
        try expectFileGolden(try file.tensor(named: "ids"), kind: "i8", shape: [5])
        #expect(
            fileSentence { _ = try file.tensor(named: "large") }
                .hasPrefix("wide.safetensors, byte 168: I64 is read as int32, but 1099511627776 is out of range."))
    }

    private func file(_ header: String, data: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { Array($0) } + Array(header.utf8)
            + [UInt8](repeating: 0, count: data)
    }

    private func open(_ header: String, data: Int) -> String {
        withFile(file(header, data: data), named: "a.safetensors") { path in
            fileSentence {
                let file = try TensorFile.open(path)
                for name in file.names { _ = try file.tensor(named: name) }
            }
        }
    }

    @Test("a kind that no tensor holds is listed, and a sentence when it is read")
    func foreignKind() throws {
        let header = #"{"w":{"dtype":"F8_E4M3","shape":[2,3],"data_offsets":[0,6]}}"#
        try withFile(file(header, data: 6), named: "a.safetensors") { path in
            let file = try TensorFile.open(path)
            #expect(try file.shape(of: "w") == [2, 3])
            #expect(try file.entry("w").dataType == nil)
        }
        #expect(
            open(header, data: 6).hasPrefix(
                "a.safetensors, byte 68: w has the unsupported element type F8_E4M3."))
    }

    @Test(
        "headers that break a rule are sentences",
        arguments: [
            (
                #"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}"#, 8,
                "byte 61: the header is not valid JSON: the text ends"
            ),
            (#"[1]"#, 0, "byte 0: unknown format: expected .npy, .npz, or safetensors"),
            (
                #"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#, 4,
                "byte 13: w has 4 bytes of data, which does not match"
            ),
            (
                #"{"w":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}"#, 12,
                "byte 67: w leaves a gap before its data"
            ),
            (
                #"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 4,
                "byte 66: w ends at byte 70, but the file is"
            ),
            (
                #"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 9,
                "byte 70: the last 1 bytes of the file do not belong to"
            ),
            (
                #"{"a":{"dtype":"I8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"I8","shape":[4],"data_offsets":[2,6]}}"#,
                6, "byte 115: b overlaps the data before it"
            ),
            (
                #"{"w":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"I8","shape":[1],"data_offsets":[1,2]}}"#,
                2, "byte 61: duplicate header entry w"
            ),
            (#"{"w":{"shape":[2],"data_offsets":[0,8]}}"#, 8, "byte 13: w has no dtype"),
            (#"{"w":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}"#, 8, "byte 37: w has an invalid size"),
            (
                #"{"w":{"dtype":"F32","shape":2,"data_offsets":[0,8]}}"#, 8,
                "byte 13: w has no shape, or a shape with too many"
            ),
            (#"{"w":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#, 8, "byte 13: w has no pair of ascending"),
            (#"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0]}}"#, 8, "byte 13: w has no pair of ascending"),
            (#"{"w":{"dtype":"F32","shape":[1.5],"data_offsets":[0,8]}}"#, 8, "byte 37: w has an invalid size"),
            (
                #"{"w":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#, 0,
                "byte 13: w has 0 bytes of data, which does not match F32 [4294967296, 4294967296]"
            ),
            (#"{"__metadata__":{"a":1}}"#, 0, "byte 29: __metadata__ has a value that is not a string"),
        ])
    func failures(header: String, data: Int, expected: String) {
        let found = open(header, data: data)
        #expect(found.hasPrefix("a.safetensors, " + expected), "\(found)")
    }

    @Test("a header beyond 100 MB is refused before it is read")
    func hugeHeader() {
        let bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, UInt8(ascii: "{")]
        let found = withFile(bytes, named: "a.safetensors") { path in fileSentence { _ = try TensorFile.open(path) } }
        #expect(found.hasPrefix("a.safetensors, byte 0: the header is 72057594037927936 bytes long; at most 100000000"))
    }
}
