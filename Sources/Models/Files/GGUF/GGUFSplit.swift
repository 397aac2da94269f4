internal import Formatting

/// Models that are cut into several GGUF files, `NAME-00001-of-00003.gguf`.
///
/// Each part has a header of its own with `split.no`, `split.count` and, in sum over all parts,
/// `split.tensors.count`; only the first holds the metadata of the model.
enum GGUFSplit {
    private static let maximumParts = 9_999

    /// All parts in their order, whichever of them is named; one part where the model is not cut.
    static func parts(_ path: String) throws(ModelError) -> [GGUFFile] {
        let file = try GGUFFile(path)
        let count = file.metadata.int("split.count") ?? 0
        guard count > 1 else { return [file] }
        guard count <= maximumParts else {
            throw ModelError(path, problem: "split.count \(count) is out of range", remedy: GGUFCursor.damaged)
        }
        guard let names = names(path, count: count) else {
            throw ModelError(
                path, problem: "the model has \(count) parts, but the file name lacks the part number",
                remedy: "Rename all parts to NAME-00001-of-\(Format.padded(count, digits: 5)).gguf and so on.")
        }
        var parts: [GGUFFile] = []
        for (number, name) in names.enumerated() {
            guard FileNames.exists(name) else {
                throw ModelError(
                    name, problem: "a part of the model is missing", remedy: "Download all \(count) parts.")
            }
            let part = try GGUFFile(name)
            guard part.metadata.int("split.count") == count, part.metadata.int("split.no") == number else {
                throw ModelError(
                    name, problem: "the file is not part \(number + 1) of \(count), despite its name",
                    remedy: "Download all parts again.")
            }
            parts.append(part)
        }
        let tensors = parts.reduce(0) { $0 + $1.tensors.count }
        if let told = parts[0].metadata.int("split.tensors.count"), told != tensors {
            throw ModelError(
                path, problem: "the parts have \(tensors) tensors, but the first part expects \(told)",
                remedy: "Download all parts again.")
        }
        return parts
    }

    /// Tensors of all parts by name.
    static func index(_ parts: [GGUFFile]) throws(ModelError) -> ([String], [String: StoredWeights]) {
        var names: [String] = []
        var weights: [String: StoredWeights] = [:]
        for part in parts {
            for tensor in part.tensors {
                guard weights.updateValue(part.stored(tensor), forKey: tensor.name) == nil else {
                    throw ModelError(
                        part.path, problem: "\(tensor.name) is also in an earlier part",
                        remedy: "Download all parts again.")
                }
                names.append(tensor.name)
            }
        }
        return (names, weights)
    }

    /// Returns the paths of all parts, from the path of one; `nil` if its name does not match the pattern.
    private static func names(_ path: String, count: Int) -> [String]? {
        let end = "-of-\(Format.padded(count, digits: 5)).gguf"
        guard path.hasSuffix(end) else { return nil }
        let head = path.dropLast(end.count)
        guard head.count > 6, head.suffix(5).allSatisfy(\.isNumber), head.dropLast(5).hasSuffix("-") else { return nil }
        return (1...count).map { head.dropLast(5) + Format.padded($0, digits: 5) + end }
    }
}
