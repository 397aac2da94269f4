internal import Glibc
internal import JSON
internal import Models
public import System
internal import Tensors

/// Dictionaries on disk: sae-lens' folders and Gemma Scope's parameter files.
///
/// ```swift
/// let dictionary = try DictionaryFile.open("dictionaries/middle")        // cfg.json and sae_weights.safetensors
/// try DictionaryFile.write(dictionary, to: "export/middle")              // SAE.load_from_disk opens it
/// ```
/// Opened are folders of sae-lens (`standard`, `topk`, `jumprelu`, `gated`, and what it trains as `batchtopk` and
/// `matryoshka_batchtopk`), of versions before and after 6, and `params.npz` and `params.safetensors` of Gemma Scope.
/// float32 weights of safetensors share the memory of the mapped file; what must be converted is measured against the
/// memory that is free before any is taken.
public enum DictionaryFile {
    static let configurationName = "cfg.json"
    static let weightsName = "sae_weights.safetensors"
    private static let parameterNames = ["params.npz", "params.safetensors"]

    /// Opens a dictionary.
    ///
    /// - Parameter path: Its folder, or one of the files in it.
    /// - Throws: An error that names the file, for what is missing, damaged, not finite, of other shapes, or of a kind
    ///   that is not opened.
    public static func open(_ path: String) throws(Problem) -> SparseAutoencoder {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Problem(.failed, path, String(cString: strerror(errno)), remedy: "Check the path.")
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if !isFolder, parameterNames.contains(name) { return try openGemmaScope(path) }
        if !isFolder, name != configurationName, name != weightsName {
            throw unknown(path, isPickle: [".pt", ".pth", ".bin", ".pkl"].contains { name.hasSuffix($0) })
        }
        let folder = isFolder ? trimmed(path) : String(path.dropLast(name.count)) + "."
        if exists("\(folder)/\(configurationName)"), exists("\(folder)/\(weightsName)") {
            return try openFolder(folder)
        }
        for name in parameterNames where exists("\(folder)/\(name)") { return try openGemmaScope("\(folder)/\(name)") }
        guard exists("\(folder)/ae.pt") || exists("\(folder)/sae.safetensors") else {
            throw Problem(
                .missing, path, "no dictionary in the folder",
                remedy: "Expected \(configurationName) with \(weightsName), or params.npz.")
        }
        throw unknown(path, isPickle: exists("\(folder)/ae.pt"))
    }

    private static func unknown(_ path: String, isPickle: Bool) -> Problem {
        if isPickle {
            return Problem(
                .unsupported, path, "pickle files are unsupported because loading one can run code",
                remedy: "Load it in Python with sae_lens (converter dictionary_learning_1) and call save_model.")
        }
        return Problem(
            .unknown, path, "unknown dictionary layout",
            remedy: "Save it with sae-lens: \(configurationName) and \(weightsName).")
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func trimmed(_ folder: String) -> String {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        return folder
    }

    /// The bytes of a small file.
    static func text(_ path: String) throws(Problem) -> [UInt8] {
        let limit = 16 << 20
        do {
            let file = try MappedFile(path)
            guard file.count <= limit else {
                throw Problem(.limit, path, "a configuration of \(file.count) bytes is too large")
            }
            defer { withExtendedLifetime(file) {} }
            return Array(file.bytes)
        } catch let error as TensorFileError {
            throw Problem(ModelError(error))
        } catch { throw Problem(error, in: path) }
    }
}
