/// One operation of a session: from the moment it has its turn until it gives it back.
struct Operation {
    let box: CancelBox
    var clock: StopClock
    /// For the errors.
    let text: String?
}
