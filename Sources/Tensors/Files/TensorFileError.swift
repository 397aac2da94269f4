internal import Glibc

/// Why a tensor file could not be read or written: what is wrong, where, and what to do.
///
/// ```
/// weights.npy, byte 10: the header names no shape. Save the array again with numpy.save.
/// ```
public struct TensorFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path as it was given.
    public var file: String
    /// The byte of the file at which the problem is seen; `nil` if no byte is to blame.
    public var offset: Int?
    public var problem: Problem

    /// What can be wrong with a tensor file.
    public enum Problem: Hashable, Sendable {
        /// The system refuses: the words of errno.
        case system(action: String, reason: String)
        /// A folder, a pipe, a device.
        case notAFile
        /// None of the formats begins so.
        case unknownFormat
        /// No format writes files with this suffix.
        case unknownSuffix
        /// The file ends before what its header promises.
        case truncated(what: String, needed: Int)
        /// The file became shorter after it was opened.
        case shrank(from: Int, to: Int)
        /// The header breaks the rules of its format.
        case header(String)
        /// A number in the header is above what is read.
        case limit(String)
        /// Elements of a kind that no tensor holds.
        case elementType(String, of: String)
        /// An integer that does not fit into int32, to which its kind is read.
        case value(Int128, kind: String)
        /// A way of packing that is not read.
        case packing(String)
        /// What was unpacked is not what was packed.
        case damaged(String)
        case noTensor(named: String, known: [String])
        /// The one tensor of a file was asked for, but the file holds another number of them.
        case notOneTensor(count: Int)
        /// The stored element type is not the requested type.
        case otherType(name: String, holds: String, asked: String)
        /// Names or a count of tensors that the format cannot keep.
        case unwritable(String)
        case memory(bytes: Int)
    }

    public init(file: String, offset: Int? = nil, problem: Problem) {
        self.file = file
        self.offset = offset
        self.problem = problem
    }

    /// The whole sentence, with control characters of the file's own text made visible.
    public var sentence: String {
        let place = offset.map { ", byte \($0)" } ?? ""
        return Self.visible("\(file)\(place): \(problem.what). \(problem.remedy).")
    }

    public var description: String { sentence }

    /// Names in a file are foreign: what could steer a terminal becomes U+FFFD.
    private static func visible(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let hostile =
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            scalars.append(hostile ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }
}

extension TensorFileError.Problem {
    /// What happened, as a clause.
    var what: String {
        switch self {
        case .system(let action, let reason): "cannot \(action): \(reason)"
        case .notAFile: "not a regular file"
        case .unknownFormat: "unknown format: expected .npy, .npz, or safetensors"
        case .unknownSuffix: "the file name has no suffix for a format"
        case .truncated(let what, let needed): "\(what) ends at byte \(needed), but the file is shorter"
        case .shrank(let from, let to): "the file shrank from \(from) to \(to) bytes after it was opened"
        case .header(let problem): problem
        case .limit(let problem): problem
        case .elementType(let type, let name): "\(name) has the unsupported element type \(type)"
        case .value(let value, let kind): "\(kind) is read as int32, but \(value) is out of range"
        case .packing(let problem): problem
        case .damaged(let problem): problem
        case .noTensor(let name, let known):
            "the file has no tensor \(name)" + (known.isEmpty ? "" : ". Available: \(Self.list(known))")
        case .notOneTensor(let count): "the file has \(count) tensors, not one"
        case .otherType(let name, let holds, let asked): "\(name) has \(holds) elements, not \(asked)"
        case .unwritable(let problem): problem
        case .memory(let bytes): "reading needs \(bytes) bytes of memory, more than is free"
        }
    }

    /// What to do about it, as a clause.
    var remedy: String {
        switch self {
        case .system(_, let reason):
            reason == String(cString: strerror(ENOSPC)) ? "Free disk space" : "Check the path and its permissions"
        case .notAFile: "Use a regular file"
        case .unknownFormat: "Save the tensors with numpy.save, numpy.savez, or safetensors"
        case .unknownSuffix: "Use a name that ends in .npy, .npz, or .safetensors"
        case .truncated: "Copy or download the file again"
        case .shrank: "Open it again when the writing program has finished"
        case .header: "Write the file again with numpy or safetensors"
        case .limit: "Split the file, or check that it has the right format"
        case .elementType: "Convert it to float32, float64, float16, bfloat16, int8, int32, or bool"
        case .value: "Convert it to float64 first"
        case .packing: "Pack the file again with numpy.savez or numpy.savez_compressed"
        case .damaged: "Copy or download the file again"
        case .noTensor: "Choose one of the names in the file"
        case .notOneTensor: "Choose a tensor by name"
        case .otherType: "Read the stored type and convert it"
        case .unwritable: "Change the tensors or the format"
        case .memory: "Free memory, or use a smaller tensor"
        }
    }

    /// Some names, in words: hundreds would bury the sentence.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(8).joined(separator: ", ")
        return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
    }
}
