package hugo

import (
	"fmt"
	"reflect"
)

// plain turns Hugo's named maps and slices into plain ones, all the way down.
func plain(value any) any {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Map:
		m := make(map[string]any, v.Len())
		for it := v.MapRange(); it.Next(); {
			if key := fmt.Sprint(it.Key().Interface()); key != "_merge" {
				m[key] = plain(it.Value().Interface())
			}
		}
		return m
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i).Interface())
		}
		return list
	}
	return value
}
