internal import Glibc

/// PostgreSQL's client library, opened when it is first needed: the program runs where it is not installed.
struct LibPQ: Sendable {
    typealias Text = UnsafePointer<CChar>
    typealias Connection = OpaquePointer
    typealias Result = OpaquePointer
    typealias Cancel = OpaquePointer
    typealias Texts = UnsafePointer<Text?>

    let parseAddress:
        @Sendable @convention(c) (Text, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> UnsafeMutableRawPointer?
    let freeAddress: @Sendable @convention(c) (UnsafeMutableRawPointer) -> Void
    let freeMemory: @Sendable @convention(c) (UnsafeMutableRawPointer) -> Void
    let connectStart: @Sendable @convention(c) (Texts, Texts, Int32) -> Connection?
    let connectPoll: @Sendable @convention(c) (Connection) -> Int32
    let setNoticeProcessor:
        @Sendable @convention(c) (
            Connection, (@convention(c) (UnsafeMutableRawPointer?, Text?) -> Void)?, UnsafeMutableRawPointer?
        ) -> UnsafeMutableRawPointer?
    let status: @Sendable @convention(c) (Connection) -> Int32
    let socket: @Sendable @convention(c) (Connection) -> Int32
    let errorMessage: @Sendable @convention(c) (Connection) -> Text?
    let finish: @Sendable @convention(c) (Connection) -> Void
    let sendQuery: @Sendable @convention(c) (Connection, Text) -> Int32
    let sendParameters:
        @Sendable @convention(c) (
            Connection, Text, Int32, UnsafePointer<UInt32>?, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
        ) -> Int32
    let consumeInput: @Sendable @convention(c) (Connection) -> Int32
    let isBusy: @Sendable @convention(c) (Connection) -> Int32
    let nextResult: @Sendable @convention(c) (Connection) -> Result?
    let putCopyData: @Sendable @convention(c) (Connection, Text, Int32) -> Int32
    let putCopyEnd: @Sendable @convention(c) (Connection, Text?) -> Int32
    let getCancel: @Sendable @convention(c) (Connection) -> Cancel?
    let cancel: @Sendable @convention(c) (Cancel, UnsafeMutablePointer<CChar>, Int32) -> Int32
    let freeCancel: @Sendable @convention(c) (Cancel) -> Void
    let resultStatus: @Sendable @convention(c) (Result) -> Int32
    let resultErrorMessage: @Sendable @convention(c) (Result) -> Text?
    let rowCount: @Sendable @convention(c) (Result) -> Int32
    let columnCount: @Sendable @convention(c) (Result) -> Int32
    let value: @Sendable @convention(c) (Result, Int32, Int32) -> UnsafeMutablePointer<CChar>?
    let isNull: @Sendable @convention(c) (Result, Int32, Int32) -> Int32
    let clear: @Sendable @convention(c) (Result) -> Void

    // As libpq-fe.h numbers them: CONNECTION_OK; PGRES_COMMAND_OK, _TUPLES_OK, _COPY_IN; PGRES_POLLING_*.
    static let connectionOK: Int32 = 0
    static let commandOK: Int32 = 1
    static let tuplesOK: Int32 = 2
    static let copyIn: Int32 = 4
    static let pollingFailed: Int32 = 0
    static let pollingReading: Int32 = 1
    static let pollingOK: Int32 = 3

    /// The library; `nil` if it is not installed.
    static let shared: LibPQ? = {
        guard let handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL) ?? dlopen("libpq.so", RTLD_NOW | RTLD_LOCAL)
        else { return nil }
        return LibPQ(handle)
    }()

    private init?(_ handle: UnsafeMutableRawPointer) {
        let names = [
            "PQconninfoParse", "PQconninfoFree", "PQfreemem", "PQconnectStartParams", "PQconnectPoll",
            "PQsetNoticeProcessor", "PQstatus", "PQsocket", "PQerrorMessage", "PQfinish", "PQsendQuery",
            "PQsendQueryParams", "PQconsumeInput", "PQisBusy", "PQgetResult", "PQputCopyData", "PQputCopyEnd",
            "PQgetCancel", "PQcancel", "PQfreeCancel", "PQresultStatus", "PQresultErrorMessage", "PQntuples",
            "PQnfields", "PQgetvalue", "PQgetisnull", "PQclear",
        ]
        let found = names.compactMap { dlsym(handle, $0) }
        guard found.count == names.count else { return nil }
        var rest = found[...]
        // In the order of the names.
        func next<Function>() -> Function { unsafeBitCast(rest.removeFirst(), to: Function.self) }
        parseAddress = next()
        freeAddress = next()
        freeMemory = next()
        connectStart = next()
        connectPoll = next()
        setNoticeProcessor = next()
        status = next()
        socket = next()
        errorMessage = next()
        finish = next()
        sendQuery = next()
        sendParameters = next()
        consumeInput = next()
        isBusy = next()
        nextResult = next()
        putCopyData = next()
        putCopyEnd = next()
        getCancel = next()
        cancel = next()
        freeCancel = next()
        resultStatus = next()
        resultErrorMessage = next()
        rowCount = next()
        columnCount = next()
        value = next()
        isNull = next()
        clear = next()
    }
}
