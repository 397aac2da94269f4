internal import Formatting

/// The contents of a workspace file, as `workspace info` prints them.
public struct WorkspaceInfo: Sendable, Equatable {
    /// A row count with its precision.
    public enum RowCount: Sendable, Equatable {
        /// The exact number.
        case exactly(Int64)
        /// The highest row number; rows below it may have been deleted.
        case about(Int64)
        /// The number at which counting stopped.
        case atLeast(Int64)
        /// An unknown number, for example for a full-text index.
        case unknown

        /// Number without its precision; 0 if unknown.
        public var value: Int64 {
            switch self {
            case .exactly(let count), .about(let count), .atLeast(let count): count
            case .unknown: 0
            }
        }

        /// Number with its precision: "12", "about 12", or "at least 12"; empty if unknown.
        public var text: String {
            switch self {
            case .exactly(let count): "\(count)"
            case .about(let count): "about \(count)"
            case .atLeast(let count): "at least \(count)"
            case .unknown: ""
            }
        }
    }

    /// A table with its size.
    public struct Table: Sendable, Equatable {
        /// Table name.
        public let name: String
        /// Number of rows.
        public let rows: RowCount
        /// Size of the pages of the table and its indexes in bytes; `nil` if not requested.
        public let bytes: Int64?
    }

    /// Path of the file.
    public let path: String
    /// File size in bytes.
    public let size: Int64
    /// Size of the log or journal in bytes.
    public let logSize: Int64
    /// Page size in bytes.
    public let pageSize: Int
    /// Number of pages.
    public let pages: Int64
    /// Number of unused pages, which new rows use first.
    public let freePages: Int64
    /// Generation of the file format.
    public let generation: Int32
    /// Names of the applied migrations, in order of application.
    public let migrations: [String]
    /// Journal mode.
    public let journal: Workspace.Journal
    /// Tables by name.
    public let tables: [Table]
    /// Number of jobs by state; states without jobs are not included.
    public let jobs: [Job.State: Int]
    /// Paths of backups made before schema updates, newest first.
    public let backups: [String]
    /// Notes for the user about the location of the file.
    public let notes: [String]

    /// Warning against copying only the file while its log has data; `nil` if the log is empty or missing.
    public var logWarning: String? {
        guard logSize > 0 else { return nil }
        return
            "\(Format.bytes(Int(logSize))) of changes are in the log next to the file. To copy the workspace, first quit "
            + "all instances of orrery that have it open, or use orrery workspace backup."
    }
}
