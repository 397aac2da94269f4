internal import JSON
public import System

/// What a run was started with: kept next to its checkpoints as `run.json`, so that it can go on by its name alone.
public struct RunOrigin: Sendable, Equatable {
    /// The configuration's file.
    public var configuration: String
    /// Keys that were set in addition: `training.batch=8`.
    public let overrides: [String]

    private static let name = "run.json"

    /// - Parameter overrides: of one key the last word counts.
    public init(configuration: String, overrides: [String]) {
        self.configuration = configuration
        var met: Set<Substring> = []
        self.overrides = overrides.reversed().filter { met.insert($0.prefix { $0 != "=" }).inserted }.reversed()
    }

    /// `nil` if the folder does not say it.
    public init?(in folder: String) {
        guard let bytes = FileBytes.read("\(folder)/\(Self.name)"),
            let document = try? JSONDocument(parsing: bytes, maximumDepth: 8)
        else { return nil }
        let read = document.withRoot { root in
            (root["configuration"]?.string, root["set"]?.elements.compactMap(\.string) ?? [])
        }
        guard let configuration = read.0 else { return nil }
        self.init(configuration: configuration, overrides: read.1)
    }

    /// Writes the file, whole or not at all.
    public func write(into folder: String) throws(Problem) {
        var json = JSONWriter(style: .pretty)
        json.object {
            $0.member("configuration", configuration)
            $0.member("set", overrides)
        }
        try FileBytes.write(Array((json.text + "\n").utf8), to: "\(folder)/\(Self.name)")
    }
}
