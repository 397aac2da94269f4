import Glibc
import Tensors
import TestFixtures
import Testing

@Suite("Tensor files")
struct TensorFileTests {
    /// The golden with tensors of every kind, and the map it is read from.
    private func kinds() throws -> (MappedFile, TensorFile) {
        let map = try MappedFile(FileGoldens.safetensors("kinds"))
        return (map, try TensorFile.open(map))
    }

    @Test("a tensor is in the mapped file, not in a copy")
    func mapped() throws {
        let (map, file) = try kinds()
        let tensor = try file.tensor(named: "double", as: Double.self)
        #expect(tensor.storage.isMapped)
        let start = UnsafeRawPointer(tensor.base) - map.bytes.baseAddress!
        #expect(start > 0 && start < map.count)
    }

    @Test("a tensor of the other order is in the mapped file as well")
    func columnMajor() throws {
        let tensor = try TensorFile.open(FileGoldens.npy("column-major")).onlyTensor()
        let view = try #require(tensor.as(Float.self))
        #expect(view.storage.isMapped)
        #expect(view.strides == [1, 2, 6])
    }

    @Test("opening a large file costs no memory for its data")
    func residentMemory() throws {
        let folder = TemporaryFolder()
        let path = folder.file("large.npy")
        let megabytes = 64
        try TensorFile.write(AnyTensor(try Tensor<Float>(repeating: 1, shape: [megabytes << 18])), to: path)
        let before = Self.anonymousBytes()
        let tensor = try TensorFile.open(path).tensor(named: "large", as: Float.self)
        let last = try tensor.element(at: [-1])
        let after = Self.anonymousBytes()
        #expect(last == 1)
        #expect(after - before < megabytes << 19, "\(after - before) bytes of memory were taken")
    }

    /// Memory of this process that is not a file's.
    private static func anonymousBytes() -> Int {
        let lines = (File.text("/proc/self/status") ?? "").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("RssAnon:") } ?? "RssAnon: 0 kB"
        return (Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) ?? 0) << 10
    }

    @Test("changing a tensor changes neither the file nor its other readers")
    func copyOnWrite() throws {
        let (_, file) = try kinds()
        var tensor = try file.tensor(named: "single", as: Float.self)
        let other = try file.tensor(named: "single", as: Float.self)
        try tensor.set(99, at: [0, 0, 0])
        #expect(try tensor.element(at: [0, 0, 0]) == 99)
        #expect(try other.element(at: [0, 0, 0]) == -1.75)
        #expect(!tensor.storage.isMapped)
    }

    @Test("a tensor outlives the file that it came from")
    func lifetime() throws {
        func read() throws -> AnyTensor { try kinds().1.tensor(named: "single") }
        try expectFileGolden(try read(), kind: "f4", shape: [2, 3, 4])
    }

    @Test("data at an odd byte are copied, and bools of other bytes than 0 and 1 are true")
    func misaligned() throws {
        let header =
            #"{"b":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]},"w":{"dtype":"F32","shape":[1],"data_offsets":[3,7]}}"#
        let bytes =
            withUnsafeBytes(of: UInt64(header.utf8.count)) { Array($0) } + Array(header.utf8)
            + [0, 1, 7] + withUnsafeBytes(of: Float(2.5)) { Array($0) }
        try withFile(bytes, named: "a.safetensors") { path in
            let file = try TensorFile.open(path)
            #expect(try file.tensor(named: "b", as: Bool.self).elements == [false, true, true])
            let tensor = try file.tensor(named: "w", as: Float.self)
            #expect(tensor.elements == [2.5])
            #expect(!tensor.storage.isMapped)
        }
    }

    @Test("a file that becomes shorter is a sentence at the next tensor")
    func shrinking() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.npy")
        File.copy(FileGoldens.npy("f4"), to: path)
        let file = try TensorFile.open(path)
        truncate(path, 100)
        #expect(
            fileSentence { _ = try file.tensor(named: "a") }
                == "a.npy, byte 100: the file shrank from 224 to 100 bytes after it was opened. "
                + "Open it again when the writing program has finished.")
    }

    @Test("readers of a file that is written again keep the old one")
    func replacing() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.npy")
        try TensorFile.write(AnyTensor(try Tensor<Float>([1, 2])), to: path)
        let old = try TensorFile.open(path).tensor(named: "a", as: Float.self)
        try TensorFile.write(AnyTensor(try Tensor<Float>([3, 4])), to: path)
        #expect(old.elements == [1, 2])
        #expect(try TensorFile.open(path).tensor(named: "a", as: Float.self).elements == [3, 4])
        #expect(folder.names == ["a.npy"])
    }

    @Test("a link stays a link, and permissions stay")
    func links() throws {
        let folder = TemporaryFolder()
        try TensorFile.write(AnyTensor(try Tensor<Float>([1])), to: folder.file("a.npy"))
        chmod(folder.file("a.npy"), 0o640)
        symlink(folder.file("a.npy"), folder.file("b.npy"))
        try TensorFile.write(AnyTensor(try Tensor<Float>([2])), to: folder.file("b.npy"))
        #expect(try TensorFile.open(folder.file("a.npy")).tensor(named: "a", as: Float.self).elements == [2])
        var status = stat()
        #expect(lstat(folder.file("b.npy"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(folder.file("a.npy"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test("what cannot be written leaves nothing behind")
    func failedWrites() throws {
        let folder = TemporaryFolder()
        let tensor = AnyTensor(try Tensor<Float>([1]))
        let named = [(name: "a", tensor: tensor)]
        let wrong: [(String, () throws -> Void)] = [
            (
                "a.txt: the file name has no suffix for a format",
                { try TensorFile.write(tensor, to: folder.file("a.txt")) }
            ),
            (
                "a.npz: only .npy can store a tensor without a "
                    + "name", { try TensorFile.write(tensor, to: folder.file("a.npz")) }
            ),
            ("a.npz: duplicate tensor name a", { try TensorFile.write(named + named, to: folder.file("a.npz")) }),
            ("a.npy: .npy stores exactly one tensor", { try TensorFile.write(named, to: folder.file("a.npy")) }),
            (
                "a.npz: npz does not support metadata",
                { try TensorFile.write(named, metadata: ["a": "b"], to: folder.file("a.npz")) }
            ),
            (
                "a.safetensors: the tensor name __metadata__ is reserved",
                { try TensorFile.write([(name: "__metadata__", tensor: tensor)], to: folder.file("a.safetensors")) }
            ),
            (
                "a.npy: cannot create a temporary file next to it: No such file or directory",
                { try TensorFile.write(tensor, to: folder.file("none/a.npy")) }
            ),
        ]
        for (expected, write) in wrong {
            let found = fileSentence(write)
            #expect(found.hasPrefix(expected), "\(found)")
        }
        #expect(folder.names == [])
    }

    @Test("a disk that is full is a sentence")
    func fullDisk() throws {
        #expect(
            fileSentence { try TensorFile.write(AnyTensor(try Tensor<Float>([1])), to: "/dev/full.npy/x.npy") }
                .hasPrefix("x.npy: cannot create a temporary file next to it"))
    }

    @Test("a file without tensors is an error")
    func foreign() {
        #expect(
            fileSentence { _ = try TensorFile.open("/nowhere/a.npy") }.hasPrefix(
                "a.npy: cannot open the file: No such file"))
        #expect(fileSentence { _ = try TensorFile.open("/dev") } == "dev: not a regular file. Use a regular file.")
        for bytes: [UInt8] in [[], [1], Array("GGUF and then some more".utf8), [UInt8](repeating: 0, count: 100)] {
            let found = withFile(bytes, named: "a.bin") { path in fileSentence { _ = try TensorFile.open(path) } }
            #expect(found.hasPrefix("a.bin, byte 0: unknown format: expected .npy, .npz, or safetensors."))
        }
    }

    @Test("a name that is not there is answered with those that are")
    func unknownName() throws {
        let file = try TensorFile.open(FileGoldens.npz("stored"))
        #expect(
            fileSentence { _ = try file.tensor(named: "w\u{1B}[2J") }
                == "stored.npz: the file has no tensor w\u{FFFD}[2J. Available: weights, bias, mask, länge. Choose one "
                + "of the names in the file.")
        #expect(
            fileSentence { _ = try file.onlyTensor() }
                == "stored.npz: the file has 4 tensors, not one. Choose a tensor by name.")
    }
}
