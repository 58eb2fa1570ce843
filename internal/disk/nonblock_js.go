package disk

// nonblock has no name in package syscall here: a pipe that took a page's place is waited for.
const nonblock = 0
