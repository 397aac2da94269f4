internal import Kernels
package import Tensors

/// The tensors of a safetensors file, as weights that stay in the file.
///
/// The header is read and checked by `TensorFile`, which lists tensors in the order of their data and makes sure that
/// they are contiguous: each begins where the previous one ends.
package struct SafetensorsFile: Sendable {
    package let path: String
    package let tensors: [StoredWeights]
    package let metadata: [String: String]

    package init(_ path: String) throws(ModelError) {
        try self.init(try MappedFile.opened(path))
    }

    package init(_ file: MappedFile) throws(ModelError) {
        path = file.path
        do {
            let archive = try TensorFile.open(file)
            guard archive.format == .safetensors else {
                throw ModelError(
                    file.path, offset: 0, problem: "not a safetensors file", remedy: "Use a safetensors file.")
            }
            metadata = archive.metadata
            var offset = 8 + Int(UInt64(littleEndian: file.bytes.loadUnaligned(as: UInt64.self)))
            var tensors: [StoredWeights] = []
            tensors.reserveCapacity(archive.names.count)
            for name in archive.names {
                let entry = try archive.entry(name)
                tensors.append(
                    StoredWeights(
                        name: name, spelling: entry.spelling, format: Self.format(entry.spelling), shape: entry.shape,
                        file: file, offset: offset, byteCount: entry.byteCount))
                offset += entry.byteCount
            }
            self.tensors = tensors
        } catch let error as TensorFileError {
            throw ModelError(error)
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError(file.path, problem: "\(error)")
        }
    }

    /// The formats that are multiplied as they lie; those of bitsandbytes need more than one tensor.
    private static func format(_ spelling: String) -> WeightFormat? {
        switch spelling {
        case "F32": .f32
        case "F16": .f16
        case "BF16": .bf16
        default: nil
        }
    }
}
