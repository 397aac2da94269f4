/// What a workspace file is made of, as `workspace info` prints it.
public struct WorkspaceInfo: Sendable, Equatable {
    /// A number of rows, and how well it is known.
    public enum RowCount: Sendable, Equatable {
        case exactly(Int64)
        /// The highest row number: some rows below it may be gone.
        case about(Int64)
        /// Counting stopped here.
        case atLeast(Int64)
        /// The table does not tell, as an index that keeps no rows of its own.
        case unknown

        /// The number without its qualification.
        public var value: Int64 {
            switch self {
            case .exactly(let count), .about(let count), .atLeast(let count): count
            case .unknown: 0
            }
        }

        /// "12", "about 12" or "at least 12".
        public var text: String {
            switch self {
            case .exactly(let count): "\(count)"
            case .about(let count): "about \(count)"
            case .atLeast(let count): "at least \(count)"
            case .unknown: ""
            }
        }
    }

    public struct Table: Sendable, Equatable {
        public let name: String
        public let rows: RowCount
        /// Bytes of the pages of the table and its indexes; nil where they were not asked for.
        public let bytes: Int64?
    }

    public let path: String
    /// Bytes of the file.
    public let size: Int64
    /// Bytes of the log or journal beside it.
    public let logSize: Int64
    public let pageSize: Int
    public let pages: Int64
    /// Pages that nothing uses, which the next rows take.
    public let freePages: Int64
    public let generation: Int32
    /// The steps that made the file what it is, in the order in which they were applied.
    public let migrations: [String]
    public let journal: Workspace.Journal
    public let tables: [Table]
    /// Jobs by state; states without a job are left out.
    public let jobs: [Job.State: Int]
    /// Copies from before updates, newest first.
    public let backups: [String]
    /// Sentences that the user should know.
    public let notes: [String]

    /// A warning against copying the file alone while a log has data; nil if there is no such log.
    public var logWarning: String? {
        guard logSize > 0 else { return nil }
        return
            "\(ByteCount.text(logSize)) of changes are in the log next to the file. To copy the workspace, leave every "
            + "orrery that has it open first, or use orrery workspace backup."
    }
}
