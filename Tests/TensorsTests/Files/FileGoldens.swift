import Tensors
import TestFixtures
import Testing

/// What Goldens/files-make.py wrote.
enum FileGoldens {
    static let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Goldens"

    static func npy(_ name: String) -> String { "\(folder)/files-npy/\(name).npy" }
    static func npz(_ name: String) -> String { "\(folder)/files-npz/\(name).npz" }
    static func safetensors(_ name: String) -> String { "\(folder)/files-safetensors/\(name).safetensors" }

    /// The elements of an array of that kind: NumPy's letter and width.
    static func values(_ kind: String, _ count: Int) -> [Double] {
        (0..<count).map { i in
            switch kind.first {
            case "b" where kind == "b1": i % 3 == 0 ? 1 : 0
            case "u": Double(i)
            case "i": Double(i - 7)
            default: Double(i - 7) * 0.25
            }
        }
    }

    static func kind(_ kind: String) -> DataType {
        switch kind {
        case "f8": .float64
        case "f4": .float32
        case "f2": .float16
        case "bf16": .bfloat16
        case "i1": .int8
        case "b1": .bool
        default: .int32
        }
    }
}

/// Compares shape, kind and all elements with what the generator put into an array.
func expectFileGolden(
    _ tensor: AnyTensor, kind: String, shape: [Int], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(tensor.shape == shape, sourceLocation: sourceLocation)
    #expect(tensor.dataType == FileGoldens.kind(kind), sourceLocation: sourceLocation)
    let elements = try tensor.converted(to: Double.self).elements
    #expect(elements == FileGoldens.values(kind, elements.count), sourceLocation: sourceLocation)
}

/// The sentence of the error that `body` throws, without the folder of the file.
func fileSentence(_ body: () throws -> Void) -> String {
    do {
        try body()
        return "(no error)"
    } catch let error as TensorFileError {
        let name = error.file.split(separator: "/").last.map(String.init) ?? ""
        var short = error
        short.file = name
        return short.sentence
    } catch {
        return "(another error: \(error))"
    }
}

/// A file made of those bytes for as long as `body` runs.
func withFile<R>(_ bytes: [UInt8], named name: String, _ body: (String) throws -> R) rethrows -> R {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file(name)
    File.write(bytes, to: path)
    return try body(path)
}
