internal import Glibc
internal import JSON
internal import Traces

/// Where a run's configuration lies, as it is kept beside its checkpoints: `run.json`. By it a run is taken up again.
struct RunOrigin: Sendable {
    var configuration: String
    /// Keys that were set besides: `training.batch=8`.
    var overrides: [String]

    private static let name = "run.json"
    private static let mostBytes = 1 << 20

    init(configuration: String, overrides: [String]) {
        self.configuration = configuration
        self.overrides = overrides
    }

    /// nil where the folder does not say it.
    init?(in folder: String) {
        guard let bytes = Self.bytes("\(folder)/\(Self.name)"),
            let document = try? JSONDocument(parsing: bytes, maximumDepth: 8)
        else { return nil }
        let read = document.withRoot { root in
            (root["configuration"]?.string, root["set"]?.elements.compactMap(\.string) ?? [])
        }
        guard let configuration = read.0 else { return nil }
        self.init(configuration: configuration, overrides: read.1)
    }

    func write(into folder: String) throws {
        var json = JSONWriter(style: .pretty)
        json.object {
            $0.member("configuration", configuration)
            $0.member("set", overrides)
        }
        try ExportFile.write("\(folder)/\(Self.name)", replacing: true) { try $0(json.text + "\n") }
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= mostBytes {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        return nil
    }
}
