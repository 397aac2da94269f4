import Tensors
import TestFixtures
import Testing

@Suite(".npy")
struct NPYTests {
    @Test("one array is read by the name of its file")
    func oneArray() throws {
        let file = try TensorFile.open(FileGoldens.npy("f4"))
        #expect(file.format == .npy)
        #expect(file.names == ["f4"])
        #expect(try file.entry("f4").spelling == "<f4")
        let tensor = try file.tensor(named: "f4", as: Float.self)
        #expect(tensor.shape == [2, 3, 4])
        #expect(try tensor.element(at: [1, 2, 3]) == 4)
    }

    @Test(
        "every kind that NumPy writes is read as the nearest of ours",
        arguments: ["f8", "f4", "f2", "bf16", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"])
    func kinds(kind: String) throws {
        let tensor = try TensorFile.open(FileGoldens.npy(kind)).onlyTensor()
        try expectFileGolden(tensor, kind: kind, shape: [2, 3, 4])
    }

    @Test("big-endian data are swapped", arguments: ["f8", "f4", "f2", "i2", "i4", "u8"])
    func bigEndian(kind: String) throws {
        let tensor = try TensorFile.open(FileGoldens.npy("big-endian-\(kind)")).onlyTensor()
        try expectFileGolden(tensor, kind: kind, shape: [2, 3, 4])
    }

    @Test(
        "orders, versions and shapes",
        arguments: [
            ("column-major", [2, 3, 4]), ("version-2", [2, 3, 4]), ("version-3", [2, 3, 4]), ("number", []),
            ("vector", [5]), ("empty", [0, 3]),
        ])
    func layouts(name: String, shape: [Int]) throws {
        try expectFileGolden(try TensorFile.open(FileGoldens.npy(name)).onlyTensor(), kind: "f4", shape: shape)
    }

    @Test(
        "what is written is, byte by byte, what numpy.save writes",
        arguments: ["f8", "f4", "f2", "bf16", "i1", "i4", "b1", "number", "vector", "empty"])
    func writing(name: String) throws {
        let folder = TemporaryFolder()
        let tensor = try TensorFile.open(FileGoldens.npy(name)).onlyTensor()
        try TensorFile.write(tensor, to: folder.file("copy.npy"))
        #expect(File.bytes(folder.file("copy.npy")) == File.bytes(FileGoldens.npy(name)))
        #expect(folder.names == ["copy.npy"])
    }

    @Test("a tensor of another order is written in C order")
    func writingAView() throws {
        let folder = TemporaryFolder()
        let tensor = try TensorFile.open(FileGoldens.npy("column-major")).onlyTensor()
        try TensorFile.write(tensor, to: folder.file("copy.npy"))
        #expect(File.bytes(folder.file("copy.npy")) == File.bytes(FileGoldens.npy("f4")))
    }

    @Test(
        "what no tensor holds is a sentence",
        arguments: [
            (
                "too-large",
                "too-large.npy, byte 144: <i8 is read as int32, but 1099511627776 is out of range. Convert it to "
                    + "float64 first."
            ),
            (
                "too-large-unsigned",
                "too-large-unsigned.npy, byte 132: <u4 is read as int32, but 2147483648 is out of range. Convert it to "
                    + "float64 first."
            ),
            (
                "complex",
                "complex.npy, byte 128: complex has the unsupported element type <c8. Convert it to "
                    + "float32, float64, float16, bfloat16, int8, int32, or bool."
            ),
            (
                "records",
                "records.npy, byte 20: elements with fields are unsupported. Write the file again "
                    + "with numpy or safetensors."
            ),
            (
                "text",
                "text.npy, byte 128: text has the unsupported element type <U2. Convert it to "
                    + "float32, float64, float16, bfloat16, int8, int32, or bool."
            ),
        ])
    func foreign(name: String, expected: String) {
        #expect(fileSentence { _ = try TensorFile.open(FileGoldens.npy(name)).onlyTensor() } == expected)
    }

    @Test("a kind that is asked for must be the one in the file")
    func otherKind() {
        #expect(
            fileSentence { _ = try TensorFile.open(FileGoldens.npy("f4")).tensor(named: "f4", as: Double.self) }
                == "f4.npy: f4 has float32 elements, not float64. Read the stored type and convert it.")
    }
}

@Suite("The header of .npy")
struct NPYHeaderTests {
    /// Magic, version 1.0, the length, the text.
    private func file(_ text: String, data: Int = 96) -> [UInt8] {
        let length = text.utf8.count
        return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 255), UInt8(length >> 8)] + Array(text.utf8)
            + [UInt8](repeating: 0, count: data)
    }

    private func shape(_ text: String) throws -> [Int] {
        try withFile(file(text), named: "a.npy") { try TensorFile.open($0).shape(of: "a") }
    }

    @Test(
        "the Python literal is read as Python reads it",
        arguments: [
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", [2, 3]),
            ("{'shape':(2,3),'fortran_order':False,'descr':'<f4'}", [2, 3]),
            ("  {\"descr\" : \"<f4\" ,\t'fortran_order': True, 'shape': ( 4 , ) }  ", [4]),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L)}", [2, 3]),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': ()}", []),
            ("{'descr': '=f4', 'fortran_order': False, 'shape': (0, 99999999999)}", [0, 99_999_999_999]),
        ])
    func literals(text: String, expected: [Int]) throws {
        #expect(try shape(text) == expected)
    }

    @Test(
        "an invalid header is an error",
        arguments: [
            ("", "a.npy, byte 10: the header is not a dictionary"),
            ("[1]", "a.npy, byte 10: the header is not a dictionary"),
            ("{'descr': '<f4', 'shape': (1,)}", "a.npy, byte 10: the header has no fortran_order"),
            ("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "a.npy, byte 44: expected True or False"),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
                "a.npy, byte 62: a shape with one axis needs a comma"
            ),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': [3]}", "a.npy, byte 60: the shape must be a tuple"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", "a.npy, byte 61: expected a size"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} + x", "a.npy, byte 66: unexpected text"),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
                "a.npy, byte 66: the header has an unknown or duplicate key x"
            ),
            ("{'descr': '<f4', 'descr': '<f8'}", "a.npy, byte 27: the header has an unknown or duplicate key descr"),
            ("{'descr': __import__('os')}", "a.npy, byte 20: expected a string in quotes"),
            ("{'descr': '\\x3cf4'}", "a.npy, byte 21: a string is too long or has an escape"),
            ("{'descr': '<f4", "a.npy, byte 20: unterminated string"),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                "a.npy, byte 61: a size is too large for memory"
            ),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
                "a.npy, byte 0: the shape is too large for memory"
            ),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (" + String(repeating: "1,", count: 65) + ")}",
                "a.npy, byte 189: the shape has more than 64 axes"
            ),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1000,)}",
                "a.npy, byte 68: the data ends at byte 4068, but the file is shorter"
            ),
        ])
    func failures(text: String, expected: String) {
        let found = fileSentence { _ = try shape(text) }
        #expect(found.hasPrefix(expected), "\(found)")
    }

    @Test("unused versions and lengths are refused")
    func versionsAndLengths() {
        func open(_ bytes: [UInt8]) -> String {
            withFile(bytes, named: "a.npy") { path in fileSentence { _ = try TensorFile.open(path) } }
        }
        let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
        #expect(open(magic + [4, 0, 10, 0, 0, 0]).hasPrefix("a.npy, byte 6: unsupported .npy version 4.0"))
        #expect(
            open(magic + [2, 0, 255, 255, 255, 255]).hasPrefix("a.npy, byte 8: the header is 4294967295 bytes long"))
        #expect(open(magic + [1, 0, 118, 0, 32, 32]).hasPrefix("a.npy, byte 0: the header ends at byte 128"))
        #expect(open(magic).hasPrefix("a.npy, byte 0: the header ends at byte 12"))
    }
}
