package import Tensors

/// A GGUF file, mapped: metadata and the places of tensors, all checked when it is opened; no tensor is touched.
///
/// ```swift
/// let file = try GGUFFile("model.gguf")
/// print(file.metadata.string("general.architecture") ?? "?", file.tensors.count)
/// ```
/// Versions 2 and 3, little-endian. What is checked before anything is believed: every length and count against the
/// bytes that are left, keys and names for doubles, types for being known, sizes for overflow, data for alignment,
/// overlap and lying inside the file. O(header).
public final class GGUFFile: Sendable {
    /// The path as it was given.
    public let path: String
    public let version: Int
    /// Data begin at multiples of it.
    public let alignment: Int
    public let metadata: GGUFMetadata
    /// In the order of the file.
    public let tensors: [GGUFTensor]
    /// The first byte after the header and its padding.
    public let dataStart: Int
    package let file: MappedFile
    private let index: [String: Int]

    public static let magic: [UInt8] = Array("GGUF".utf8)

    public convenience init(_ path: String) throws(ModelError) {
        try self.init(try MappedFile.opened(path))
    }

    package init(_ file: MappedFile) throws(ModelError) {
        var header = GGUFHeader(file)
        try header.read()
        path = file.path
        version = header.version
        alignment = header.alignment
        metadata = header.metadata
        tensors = header.tensors
        dataStart = header.dataStart
        index = header.index
        self.file = file
    }

    public func tensor(_ name: String) -> GGUFTensor? { index[name].map { tensors[$0] } }

    /// Returns a tensor as weights that stay in this file.
    func stored(_ tensor: GGUFTensor) -> StoredWeights {
        StoredWeights(
            name: tensor.name, spelling: tensor.type.name, format: tensor.type.weightFormat, shape: tensor.shape,
            file: file, offset: tensor.offset, byteCount: tensor.byteCount)
    }
}

extension MappedFile {
    /// A file by its path, with errors of this module.
    static func opened(_ path: String) throws(ModelError) -> MappedFile {
        do {
            return try MappedFile(path)
        } catch {
            throw ModelError(error)
        }
    }
}
