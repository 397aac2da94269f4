public import JSON

extension LiveBench.Figures: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("watched_milliseconds", watchedMilliseconds)
            $0.member("watched_milliseconds_p95", watchedMillisecondsP95)
            $0.member("plain_milliseconds", plainMilliseconds)
            $0.member("reading_seconds", readingSeconds)
            $0.member("rerun_seconds", rerunSeconds)
            $0.member("rest_seconds", restSeconds)
            $0.member("rerun_ratio", rerunRatio)
            $0.member("grid_milliseconds", gridMilliseconds)
            $0.member("grid_note", gridNote)
            $0.member("grid_fine_milliseconds", gridFineMilliseconds)
            $0.member("grid_fine_note", gridFineNote)
        }
    }
}
