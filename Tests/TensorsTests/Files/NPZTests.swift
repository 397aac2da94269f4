import Tensors
import TestFixtures
import Testing

@Suite(".npz")
struct NPZTests {
    @Test("arrays are read by their names, stored or deflated", arguments: ["stored", "deflated"])
    func reading(name: String) throws {
        let file = try TensorFile.open(FileGoldens.npz(name))
        #expect(file.format == .npz)
        #expect(file.names == ["weights", "bias", "mask", "länge"])
        #expect(try file.shape(of: "bias") == [3])
        try expectFileGolden(try file.tensor(named: "weights"), kind: "f4", shape: [2, 3, 4])
        try expectFileGolden(try file.tensor(named: "bias"), kind: "f8", shape: [3])
        try expectFileGolden(try file.tensor(named: "mask"), kind: "b1", shape: [5])
        try expectFileGolden(try file.tensor(named: "länge"), kind: "i4", shape: [2])
    }

    @Test(
        "zips of other writers: sizes behind the data, a comment, members that are not arrays, eight-byte sizes",
        arguments: ["descriptor", "comment", "other-members", "zip64"])
    func variants(name: String) throws {
        let file = try TensorFile.open(FileGoldens.npz(name))
        #expect(file.names == ["weights"])
        try expectFileGolden(try file.onlyTensor(), kind: "f4", shape: [2, 3, 4])
    }

    @Test("an archive without arrays has no names") func nothing() throws {
        #expect(try TensorFile.open(FileGoldens.npz("none")).names == [])
    }

    private func tensors() throws -> [(name: String, tensor: AnyTensor)] {
        let file = try TensorFile.open(FileGoldens.npz("stored"))
        return try file.names.map { (name: $0, tensor: try file.tensor(named: $0)) }
    }

    @Test("what is written is, byte by byte, what numpy.savez writes")
    func writing() throws {
        let folder = TemporaryFolder()
        try TensorFile.write(try tensors(), to: folder.file("copy.npz"))
        #expect(File.bytes(folder.file("copy.npz")) == File.bytes(FileGoldens.npz("stored")))
        try TensorFile.write([], to: folder.file("none.npz"))
        #expect(File.bytes(folder.file("none.npz")) == File.bytes(FileGoldens.npz("none")))
        #expect(folder.names == ["copy.npz", "none.npz"])
    }

    @Test("a compressed archive is smaller and holds the same")
    func compressing() throws {
        let folder = TemporaryFolder()
        let zeros = AnyTensor(try Tensor<Float>(repeating: 0, shape: [200, 1_000]))
        let all = try tensors() + [(name: "zeros", tensor: zeros)]
        try TensorFile.write(all, compressing: true, to: folder.file("copy.npz"))
        #expect(File.bytes(folder.file("copy.npz"))?.count ?? .max < 3_000)
        let file = try TensorFile.open(folder.file("copy.npz"))
        for (name, tensor) in all { #expect(try file.tensor(named: name) == tensor) }
    }

    @Test(
        "hostile and broken archives are sentences",
        arguments: [
            (
                "bomb",
                "bomb.npz, byte 173: a.npy has 4294967280 bytes, which is impossible for 138 packed "
                    + "bytes. Split the file, or check that it has the right format."
            ),
            (
                "bzip2",
                "bzip2.npz, byte 223: weights.npy uses compression method 12; only stored (0) and deflate "
                    + "(8) are supported."
            ),
            ("encrypted", "encrypted.npz, byte 265: weights.npy is encrypted."),
            ("overlap", "overlap.npz, byte 70: a.npy and b.npy overlap in the zip."),
            ("twice", "twice.npz, byte 310: duplicate zip entry a.npy."),
            (
                "greedy",
                "greedy.npz, byte 35: a has 96 bytes of data, not 32000000000."
            ),
            (
                "damaged",
                "damaged.npz, byte 41: weights.npy does not match its CRC-32 in the zip directory."
            ),
        ])
    func hostile(name: String, expected: String) {
        let found = fileSentence {
            let file = try TensorFile.open(FileGoldens.npz(name))
            for name in file.names { _ = try file.tensor(named: name) }
        }
        #expect(found.hasPrefix(expected), "\(found)")
    }

    @Test("an archive that lost its end, at any byte, is a sentence")
    func truncated() throws {
        let whole = try #require(File.bytes(FileGoldens.npz("deflated")))
        for length in 4..<whole.count {
            let memory = MappedFile(memory: whole, length)
            let found = fileSentence { _ = try TensorFile.open(memory) }
            #expect(found.contains("the zip's end record is missing"), "\(length) bytes: \(found)")
        }
    }
}

extension MappedFile {
    /// The first bytes of an array, copied and never freed: a test has few.
    convenience init(memory bytes: [UInt8], _ length: Int) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(length, 1), alignment: 16)
        copy.copyBytes(from: bytes.prefix(length))
        self.init(memory: UnsafeRawBufferPointer(rebasing: copy[..<length]), named: "memory")
    }
}
