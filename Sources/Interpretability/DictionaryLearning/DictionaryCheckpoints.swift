/// Where a run writes how it stands, and how often.
public struct DictionaryCheckpoints: Hashable, Sendable {
    /// Folder, created if missing; files are named `step-000000100.safetensors`.
    public var folder: String
    /// Steps from one file to the next.
    public var steps: Int
    /// Files that stay.
    public var keep: Int

    public init(folder: String, every steps: Int, keep: Int = 2) {
        self.folder = folder
        self.steps = max(1, steps)
        self.keep = max(1, keep)
    }
}
